Feature: Regressions: what went out and is not in the journal is not said again
  Found by sim explore. The record shows it, and its answer is waited for.

  # The journal was copied back from before the intent of the HELLO, which was out.
  @row-06
  Scenario: The journal does not know the HELLO
    Given round 1 is answered with "done"
    And "stale-cache" strikes at "send.submit@0#2/after"
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And every message reached the site exactly once

  @row-06
  Scenario: The journal does not know the REPAIR
    Given round 1 is answered first with "plan-no-decision"
    And round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "stale-cache" strikes at "send.submit@1#4/after"
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And every message reached the site exactly once

  @row-06
  Scenario: The journal does not know the RESUME
    Given round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "kill-pi" strikes after the write of checkpoint of round 1
    And "stale-cache" strikes at "send.submit@1#4/after"
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And every message reached the site exactly once

  # Two RESYNCs in one episode: the rebuilt journal knew no RESYNC.
  @row-07
  Scenario: The journal is gone right after the RESYNC went out
    Given round 1 is answered first with "plan-forgot"
    And round 1 is answered then with "plan-forgot"
    And round 2 is answered with "done"
    And "lose-cache" strikes at "send.submit@1#6/after"
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And every message reached the site exactly once

  # A RESUME was refused, and the RESYNC that followed was out: both are followed, none is repeated.
  @row-07
  Scenario: The journal is gone right after the RESYNC that followed a refused RESUME
    Given round 1 is answered with "continue"
    And round 2 is answered with "done"
    And the acknowledgement of RESUME deviates by "resume-ck"
    And "kill-pi" strikes after the write of checkpoint of round 1
    And "lose-cache" strikes at "send.submit@1#6/after"
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And every message reached the site exactly once

  # It was proven not to have gone out, and was not sent after all.
  @row-06
  Scenario: Pi ends between the intent of the RESYNC and its click
    Given round 1 is answered first with "plan-forgot"
    And round 1 is answered then with "plan-forgot"
    And round 2 is answered with "done"
    And "kill-pi" strikes at "store.append@1:intent#3/after"
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the site received exactly 1 "RESYNC" message
