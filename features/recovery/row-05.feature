@row-05
Feature: Row 5: tab or browser are gone, memory and conversation live
  HV/CV/CAP/sid/checkpoint consistent: discovery; RESUME if the in-flight state cannot be resumed. Do
  not create a new sid.

  Scenario Outline: "<fault>" while the answer streams
    Given the site answers at "typical" pace
    And round 1 thinks for "20s" and writes for "3m"
    And round 2 is answered with "done"
    And "<fault>" strikes before the first look at a streaming answer of round 1
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the bridge recovered by row 5
    And every message reached the site exactly once
    And the site saw one sid

    Examples:
      | fault     |
      | close-tab |
      | relaunch  |

  @edge-disconnected-to-resume @edge-resume-to-round
  Scenario: A turn that ended without a reply is not asked again: RESUME, then the next round
    Given round 1 is answered with "continue"
    And round 2 is answered with "continue"
    And round 3 is answered with "done"
    And "cut-stream" strikes before the submit of round 2
    When the bridge relays the request
    Then the session ends as "done"
    And the site received these messages:
      | message | round | p |
      | HELLO   |       |   |
      | ROUND   | 1     | - |
      | ROUND   | 2     | 1 |
      | RESUME  |       |   |
      | ROUND   | 3     | 1 |
    And the agent executed the rounds "1"

  Scenario: Near miss: a tab that closes before the conversation has an address cannot be found again
    Given the site gives no address before the end of the answer
    And the site answers at "slow-thinking" pace
    And "close-tab" strikes before the first look at a thinking answer of round 0
    When the bridge relays the request
    Then the session ends as "manual"
    And the site received exactly 1 message
