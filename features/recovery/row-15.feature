@row-15 @edge-any-to-thrown
Feature: Row 15: a bug
  classifyStallError() is null: throw and stop automation. A software bug is no network fault.

  Scenario: A panic of pi stops automation and nothing is tried again
    Given round 1 is answered with "continue"
    And "panic" strikes before the capture of round 1
    When the bridge relays the request
    Then the session ends as "thrown" by row 15
    And the site received exactly 1 "ROUND" message
    And the agent executed nothing

  Scenario: A command that the browser does not know is our bug
    Given round 1 is answered with "continue"
    And "cdp-error" with code "-32601" strikes before the capture of round 1
    When the bridge relays the request
    Then the session ends as "thrown" by row 15
    And the site received exactly 1 "ROUND" message

  @row-03
  Scenario: Near miss: a session id that is void is no bug: row 3
    Given the site answers at "typical" pace
    And round 1 thinks for "20s" and writes for "3m"
    And round 2 is answered with "done"
    And "cdp-error" with code "-32001" strikes before the first look at a streaming answer of round 1
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the bridge recovered by row 3
    And every message reached the site exactly once
