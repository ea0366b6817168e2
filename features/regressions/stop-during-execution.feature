Feature: Regressions: what the agent never claimed is not begun at a stop, nor under another contract
  Found by sim explore.

  # The plan was to be handed over when pi was replaced by one with other capabilities. The new pi
  # started it under the contract that it was about to declare anew.
  @row-09
  Scenario: Other capabilities while the agent was to begin
    Given round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "change-caps" strikes after the write of executing of round 1
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the site received exactly 1 "RESYNC" message
    And the agent executed nothing

  # Pi saw the captcha, and started the plan on the way out.
  @row-12
  Scenario: A captcha stands when pi comes back to a plan that was to be handed over
    Given round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "kill-pi" strikes after the write of executing of round 1
    And "captcha" strikes at "guard.check@1#2/before"
    When the bridge relays the request
    Then the session ends as "blocker" by row 12
    And every fault struck
    And the agent executed nothing

  # It is a first execution, so it waits for the acknowledgement like any other.
  @row-06
  Scenario: A plan that was to be handed over is executed after the RESUME
    Given round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "kill-pi" strikes after the write of executing of round 1
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the site received exactly 1 "RESUME" message
    And the agent was asked to start round 1 exactly once
    And the agent executed the rounds "1"
