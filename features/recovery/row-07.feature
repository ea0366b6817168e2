@row-07
Feature: Row 7: the cache is lost, the FRAME chain in the history is complete
  sid, frame and version recoverable: RESUME from the last confirmed checkpoint. Do not guess whether
  the latest PLAN ran.

  Scenario Outline: "<fault>" <when>
    Given round 1 is answered with "continue"
    And round 2 is answered with "continue"
    And round 3 is answered with "done"
    And "<fault>" strikes <when>
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the bridge recovered by row 7
    And every message reached the site exactly once
    And the agent executed the rounds "1, 2"
    And the site saw one sid

    Examples:
      | fault       | when                                    |
      | lose-cache  | after the write of sent of round 2      |
      | lose-cache  | after the write of validated of round 2 |
      | lose-cache  | after the write of settled of round 2   |
      | lose-cache  | after the write of checkpoint of round 2 |

  Scenario: Memory outranks the cache
    Given round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "drop-cache" strikes after the write of sent of round 1
    And "sever" strikes before the capture of round 1
    When the bridge relays the request
    Then the session ends as "done"
    And the bridge recovered by row 3
    And every message reached the site exactly once

  Scenario: The forbidden column: whether the latest PLAN ran is asked, not guessed
    Given round 1 is answered with "continue"
    And the agent takes "20m" in round 1
    And round 2 is answered with "done"
    And "lose-cache" strikes after the hand-over to the agent of round 1
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the bridge recovered by row 7
    And the agent executed the rounds "1"
    And every message reached the site exactly once

  @row-11
  Scenario: Near miss: nobody can tell whether the latest PLAN ran: row 11
    Given round 1 is answered with "continue" that runs "npm test"
    And the agent takes "20m" in round 1
    And round 2 is answered with "done"
    And "agent-dies" strikes before the first question to the agent of round 1
    And "lose-cache" strikes before the first question to the agent of round 1
    When the bridge relays the request
    Then the session ends as "manual" by row 11
    And the agent was asked to start round 1 exactly once
    And the site received exactly 1 "ROUND" message

  @row-10
  Scenario: Near miss: the chain in the history has a gap: row 10
    Given 2 rounds are answered with "continue"
    And round 3 is answered with "done"
    And "missing-turn" with "back=2" strikes after the first look at the answer of round 3
    And "lose-cache" strikes after the first look at the answer of round 3
    When the bridge relays the request
    Then the session ends as "manual" by row 10
    And the agent executed the rounds "1, 2"
    And the site received exactly 3 "ROUND" messages
