@row-09
Feature: Row 9: capabilities or contract changed
  A real change: RESYNC. Do not pretend that the old ACK still holds.

  @edge-version-lost-to-resync @edge-resync-to-established
  Scenario: pi comes back with other capabilities
    Given round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "change-caps" to "file.read,shell.local" strikes after the write of checkpoint of round 1
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the bridge recovered by row 9
    And the site received exactly 1 "RESYNC" message
    And every message reached the site exactly once

  Scenario: A round in flight is finished, its plan is not executed, and the next round is r+1
    Given round 1 is answered with "continue"
    And round 2 is answered with "continue"
    And round 3 is answered with "done"
    And "change-caps" to "file.read,shell.local" strikes after the write of sent of round 2
    When the bridge relays the request
    Then the session ends as "done"
    And the site received these messages:
      | message | round | p |
      | HELLO   |       |   |
      | ROUND   | 1     | - |
      | ROUND   | 2     | 1 |
      | RESYNC  |       |   |
      | ROUND   | 3     | 1 |
    And the agent executed the rounds "1"

  @row-06
  Scenario: Near miss: the same capabilities in another order are the same: row 6
    Given pi can do "file.read,shell.local"
    And round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "change-caps" to "shell.local,file.read" strikes after the write of checkpoint of round 1
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the bridge recovered by row 6
    And the site received exactly 0 "RESYNC" messages
    And the site received exactly 1 "RESUME" message
