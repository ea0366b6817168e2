@row-11
Feature: Row 11: did the plan run?
  No reliable checkpoint evidence: manual recovery. Never auto-replay.

  Scenario: The agent's process ended without a receipt
    Given round 1 is answered with "continue" that runs "npm test"
    And "agent-dies" strikes after the hand-over to the agent of round 1
    When the bridge relays the request
    Then the session ends as "manual" by row 11
    And the agent was asked to start round 1 exactly once
    And the site received exactly 1 "ROUND" message

  Scenario: Near miss: an execution that failed with a receipt is settled
    Given round 1 is answered with "continue" that runs "npm test"
    And the agent fails in round 1
    And round 2 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And no verdict was needed

  Scenario: The agent cannot be asked any more, and pi has lost its memory
    Given round 1 is answered with "continue" that runs "npm test"
    And the agent takes "20m" in round 1
    And round 2 is answered with "done"
    And "agent-mute" strikes before the first question to the agent of round 1
    And "kill-pi" strikes before the first question to the agent of round 1
    When the bridge relays the request
    Then the session ends as "manual" by row 11
    And every fault struck
    And the agent was asked to start round 1 exactly once
    And the site received exactly 1 "ROUND" message

  @row-06
  Scenario: Near miss: an agent that works on without pi is waited for: row 6
    Given round 1 is answered with "continue" that runs "npm test"
    And the agent takes "20m" in round 1
    And round 2 is answered with "done"
    And "kill-pi" strikes before the first question to the agent of round 1
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the bridge recovered by row 6
    And the agent executed the rounds "1"
