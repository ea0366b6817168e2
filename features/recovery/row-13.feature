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
