Feature: Boundaries
  When checkBoundaries says stop, the run stops, and nothing more is sent.

  @row-14 @edge-any-to-stopped
  Scenario: The limit of rounds
    Given at most 2 rounds
    And 5 rounds are answered with "continue"
    When the bridge relays the request
    Then the session ends as "boundary" by row 14
    And the site received exactly 2 "ROUND" messages
    And the checkpoint is round 2
    And the session took the edges "any-to-stopped"

  @row-14
  Scenario: The limit of wall time
    Given at most "10m" in all
    And 5 rounds are answered with "continue"
    And the agent takes "11m" in round 2
    When the bridge relays the request
    Then the session ends as "boundary" by row 14
    And the checkpoint is round 2
    And the site received exactly 2 "ROUND" messages

  @row-14
  Scenario: The limit of time per round stops after the settlement
    Given at most "5m" for each round
    And 2 rounds are answered with "continue"
    And the agent takes "6m" in round 1
    When the bridge relays the request
    Then the session ends as "boundary" by row 14
    And the checkpoint is round 1
    And the site received exactly 1 "ROUND" message

  @row-12
  Scenario Outline: A blocker before the handshake: nothing is typed, nothing is sent
    Given the site shows "<blocker>"
    When the bridge relays the request
    Then the session ends as "blocker" by row 12
    And the site received exactly 0 messages
    And the agent executed nothing

    Examples:
      | blocker    |
      | captcha    |
      | login      |
      | expired    |
      | rate-limit |
      | usage-cap  |
      | account    |

  Scenario: A banner that announces a smaller model is no blocker
    Given the site shows "downgrade"
    And round 1 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
