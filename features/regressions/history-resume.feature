Feature: Regressions: the history shows what the journal has lost
  Found by sim explore.

  # The RESUME was out and acknowledged, and the journal was gone: the bridge sent a second one, which
  # its own law forbids, and stopped as if it had a bug.
  @row-07
  Scenario: The journal is gone right after the RESUME went out
    Given round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "kill-pi" strikes at "store.append@1:checkpoint#1/after"
    And "lose-cache" strikes at "send.submit@1#4/after"
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And every message reached the site exactly once

  # A journal of another session: pi gave up as it should, and started the plan on the way out.
  @row-10
  Scenario: The journal is another session's while the agent was to begin
    Given the site answers at "typical" pace
    And round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "foreign-cache" strikes at "agent.start@1#1/after"
    When the bridge relays the request
    Then the session ends as "manual" by row 10
    And every fault struck
    And the agent was asked to start round 1 exactly once
