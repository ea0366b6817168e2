@row-06
Feature: Row 6: pi restarts
  sid, version, hash and checkpoint cross-checkable: RESUME at the last confirmed checkpoint. Do not
  replay unconfirmed plans.

  @edge-disconnected-to-resume @edge-resume-to-round
  Scenario Outline: pi is killed <when> and started again
    Given round 1 is answered with "continue"
    And round 2 is answered with "continue"
    And round 3 is answered with "done"
    And "kill-pi" strikes <when>
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the bridge recovered by row 6
    And every message reached the site exactly once
    And the agent executed the rounds "1, 2"
    And the site saw one sid

    Examples:
      | when                                |
      | before the submit of round 2        |
      | after the submit of round 2         |
      | after the write of sent of round 2  |
      | before the write of validated of round 2 |
      | after the write of validated of round 2 |
      | after the write of executing of round 2 |
      | after the hand-over to the agent of round 2 |
      | before the write of settled of round 2 |
      | after the write of settled of round 2 |
      | before the write of checkpoint of round 2 |
      | after the write of checkpoint of round 2 |

  Scenario: A restart during a long answer waits for that answer
    Given the site answers at "typical" pace
    And round 1 thinks for "28m" and writes for "2m"
    And round 2 is answered with "done"
    And "kill-pi" strikes after the first look at a streaming answer of round 1
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And every message reached the site exactly once
    And the agent executed word for word what the site wrote

  Scenario: A done plan that was written down is finished without a word
    Given round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "kill-pi" strikes before the write of terminal of round 2
    When the bridge relays the request
    Then the session ends as "done"
    And the last message of ours is the ROUND of round 2

  Scenario: Near miss: pi restarts without its journal: row 7
    Given round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "lose-cache" strikes after the write of checkpoint of round 1
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the bridge recovered by row 7
    And the agent executed the rounds "1"

  Scenario: Near miss: pi restarts with other capabilities: row 9
    Given round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "change-caps" to "file.read" strikes after the write of checkpoint of round 1
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the bridge recovered by row 9
    And the site received exactly 0 "RESUME" messages
