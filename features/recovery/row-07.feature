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
