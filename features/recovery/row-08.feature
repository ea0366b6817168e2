@row-08
Feature: Row 8: the HELLO or its ACK can no longer be proven
  Identity and checkpoint determinable: RESYNC. Do not execute a new PLAN first.

  Scenario: The answer to HELLO breaks off
    Given "cut-stream" strikes before the submit of round 0
    And round 1 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the bridge recovered by row 8
    And the site received these messages:
      | message | round | p |
      | HELLO   |       |   |
      | RESYNC  |       |   |
      | ROUND   | 1     | - |

  Scenario: Near miss: an acknowledgement that is there and wrong is refused, not declared again
    Given the acknowledgement deviates by "ack-sid"
    When the bridge relays the request
    Then the session ends as "handshake_refused"
    And no verdict was needed
    And the site received exactly 0 "RESYNC" messages

  @row-13
  Scenario: RESYNC breaks off as well: a person
    Given the site has the switch "FailMid" set to "1,2"
    And round 1 is answered with "done"
    When the bridge relays the request
    Then the session ends as "manual" by row 13
    And the site received exactly 1 "RESYNC" message
    And the site received exactly 0 "ROUND" messages
    And the agent executed nothing
