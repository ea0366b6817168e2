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
