@row-13
Feature: Row 13: the recovery budget is spent
  Give up. No unbounded recovery.

  Scenario: A browser that nobody starts again
    Given the site answers at "typical" pace
    And round 1 thinks for "20s" and writes for "3m"
    And "kill-browser" strikes before the first look at a streaming answer of round 1
    When the bridge relays the request
    Then the session ends as "manual" by row 13
    And every fault struck
    And the site received exactly 1 "ROUND" message

  @edge-resume-to-resync
  Scenario: RESUME is acknowledged wrongly, one RESYNC mends it
    Given round 1 is answered with "continue"
    And round 2 is answered with "done"
    And the acknowledgement of RESUME deviates by "resume-ck"
    And "kill-pi" strikes after the write of checkpoint of round 1
    When the bridge relays the request
    Then the session ends as "done"
    And the site received these messages:
      | message | round | p |
      | HELLO   |       |   |
      | ROUND   | 1     | - |
      | RESUME  |       |   |
      | RESYNC  |       |   |
      | ROUND   | 2     | 1 |

  @row-03
  Scenario: Near miss: each checkpoint fills the budget again: fifteen losses in five rounds are recovered
    Given the site answers at "typical" pace
    And 5 rounds are answered with "continue"
    And round 6 is answered with "done"
    And "sever" strikes before the insert of round 1
    And "sever" strikes after the submit of round 1
    And "sever" strikes before the capture of round 1
    And "sever" strikes before the insert of round 2
    And "sever" strikes after the submit of round 2
    And "sever" strikes before the capture of round 2
    And "sever" strikes before the insert of round 3
    And "sever" strikes after the submit of round 3
    And "sever" strikes before the capture of round 3
    And "sever" strikes before the insert of round 4
    And "sever" strikes after the submit of round 4
    And "sever" strikes before the capture of round 4
    And "sever" strikes before the insert of round 5
    And "sever" strikes after the submit of round 5
    And "sever" strikes before the capture of round 5
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And every message reached the site exactly once
    And the agent executed the rounds "1, 2, 3, 4, 5"

  Scenario: The budget is durable: a crash loop does not outlive it
    Given the site answers at "typical" pace
    And round 1 thinks for "20s" and writes for "3m"
    And "kill-browser" strikes before the first look at a streaming answer of round 1
    And "kill-pi" strikes at "attach.connect@1#3/before"
    And "kill-pi" strikes at "attach.connect@1#6/before"
    And "kill-pi" strikes at "attach.connect@1#9/before"
    When the bridge relays the request
    Then the session ends as "manual" by row 13
    And every fault struck
    And the browser was given at most 16 "dial" commands
    And the run took at most "3h"
