@row-10 @edge-any-to-manual
Feature: Row 10: two histories
  No way to tell which one is authoritative: manual recovery. Do not pick a branch.

  Scenario Outline: pi restarts and the record contradicts the journal: "<fault>"
    Given round 1 is answered with "continue"
    And round 2 is answered with "continue"
    And round 3 is answered with "done"
    And "kill-pi" strikes after the write of sent of round 2
    And "<fault>" strikes before the reading of the history of round 2
    When the bridge relays the request
    Then the session ends as "manual" by row 10
    And the site received exactly 2 "ROUND" messages
    And the agent executed the rounds "1"

    Examples:
      | fault            |
      | truncate-history |
      | missing-turn     |

  @row-03
  Scenario: Near miss: pi that remembers is not led astray by a changed record: row 3
    Given the site answers at "typical" pace
    And round 1 is answered with "continue"
    And round 2 thinks for "20s" and writes for "3m"
    And round 3 is answered with "done"
    And "edit-history" with "back=2" strikes before the first look at a streaming answer of round 2
    And "sever" strikes after the first look at a streaming answer of round 2
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the bridge recovered by row 3
    And the agent executed the rounds "1, 2"

  Scenario: An answer of the record was edited behind our back, and pi has lost its memory
    Given the site answers at "typical" pace
    And round 1 is answered with "continue"
    And round 2 is answered with "continue"
    And round 3 thinks for "20s" and writes for "3m"
    And "edit-history" with "back=2" strikes before the first look at a streaming answer of round 3
    And "lose-cache" strikes before the first look at a streaming answer of round 3
    When the bridge relays the request
    Then the session ends as "manual" by row 10
    And every fault struck
    And the agent executed the rounds "1, 2"
    And the site received exactly 3 "ROUND" messages
