@row-04
Feature: Row 4: the page reloads
  sid and round preserved: discovery, continue the same round; consume a valid PLAN if present. No
  RESYNC.

  Scenario Outline: The page reloads <when>
    Given the site answers at "typical" pace
    And round 1 thinks for "20s" and writes for "3m"
    And round 2 is answered with "done"
    And "reload" strikes <when>
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the bridge recovered by row 4
    And the site received exactly 0 "RESYNC" messages
    And every message reached the site exactly once
    And the agent executed the rounds "1"

    Examples:
      | when                                                |
      | before the read-back of round 1                     |
      | before the first look at a streaming answer of round 1 |
      | before the capture of round 1                       |

  @field-B34
  Scenario: A crashed renderer is reloaded and the answer captured
    Given the site answers at "typical" pace
    And round 1 thinks for "20s" and writes for "3m"
    And round 2 is answered with "done"
    And "crash-tab" strikes before the first look at a streaming answer of round 1
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the bridge recovered by row 4
    And every message reached the site exactly once

  Scenario: Near miss: the tab shows another site now: row 5
    Given the site answers at "typical" pace
    And round 1 thinks for "20s" and writes for "3m"
    And round 2 is answered with "done"
    And "navigate-away" strikes before the first look at a streaming answer of round 1
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the bridge recovered by row 5
    And every message reached the site exactly once

  Scenario: Near miss: a reload between the intent and the submit leaves the message unknown: a person
    Given the site answers at "typical" pace
    And round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "reload" strikes before the submit of round 1
    When the bridge relays the request
    Then the session ends as "manual" by row 13
    And every fault struck
    And the site received exactly 0 "ROUND" messages
    And the agent executed nothing
