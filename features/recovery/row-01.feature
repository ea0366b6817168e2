@row-01
Feature: Row 1: a capture failure
  Target alive, conversation unchanged, frame known: retry the same round. Re-read, wait, choose a
  trustworthy source. No REPAIR, no ROUND resend.

  @err-E_CAPTURE
  Scenario: The record cannot be read for a while and the page alone is not enough
    Given round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "record-down" for "40s" strikes before the capture of round 1
    And "copy-broken" strikes before the capture of round 1
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the site received exactly 0 "REPAIR" messages
    And every message reached the site exactly once
    And the agent executed the rounds "1"

  @err-E_SOURCE_UNCERTAIN
  Scenario: Sources that disagree are no plan
    Given round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "record-down" for "40s" strikes before the capture of round 1
    And "copy-stale" strikes before the capture of round 1
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the site received exactly 0 "REPAIR" messages
    And the agent executed word for word what the site wrote

  Scenario: Near miss: a fault of the other side is repaired, a fault of our own is not
    Given round 1 is answered first with "plan-no-decision"
    And round 1 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And no verdict was needed
    And the site received exactly 1 "REPAIR" message

  Scenario: The forbidden column: sources that never agree end in a person's hands, unblamed and unsent
    Given the site has the switch "RecordStatus" set to "503"
    And the site has the switch "CopyStale"
    And round 1 is answered with "continue"
    When the bridge relays the request
    Then the session ends as "manual" by row 13
    And the bridge recovered by row 1
    And the site received exactly 0 "REPAIR" messages
    And the site received exactly 1 message
    And the agent executed nothing

  @err-E_SOURCE_UNCERTAIN
  Scenario: The record says something else than the page: neither is executed, nobody is blamed
    Given the site answers at "typical" pace
    And the site has the switch "RecordDiffers"
    And round 1 is answered with "continue" that runs "npm test"
    And round 2 is answered with "done"
    When the bridge relays the request
    Then the session ends as "manual" by row 13
    And the report names "E_SOURCE_UNCERTAIN"
    And the bridge recovered by row 1
    And the site received these messages:
      | message | round | p |
      | HELLO   |       |   |
      | ROUND   | 1     | - |
    And the agent executed nothing
    And the checkpoint is none
