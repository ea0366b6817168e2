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
