@row-02
Feature: Row 2: the reply does not come
  Page alive, no blocker, FRAME consistent: retry the same round with stall backoff. Do not advance the
  round.

  Scenario: An answer that needs longer than the wait is waited for again
    Given the site answers at "typical" pace
    And round 1 thinks for "50m"
    And round 2 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And the bridge recovered by row 2
    And every message reached the site exactly once
    And the agent executed the rounds "1"

  Scenario: An answer that never comes ends in a person's hands, in bounded time
    Given round 1 is answered with "continue"
    And "never-answers" strikes before the submit of round 1
    When the bridge relays the request
    Then the session ends as "manual" by row 13
    And the site received exactly 1 "ROUND" message
    And the agent executed nothing

  Scenario: Near miss: an answer that broke off is not waited for, it has ended
    Given the site answers at "typical" pace
    And round 1 thinks for "20s" and writes for "3m"
    And round 2 is answered with "continue"
    And round 3 is answered with "done"
    And "cut-stream" strikes before the first look at a streaming answer of round 1
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the agent executed the rounds "2"
    And the run took at most "1h"

  Scenario: Near miss: a blocker while it waits is row 12
    Given the site answers at "typical" pace
    And round 1 thinks for "20m"
    And "captcha" strikes before the first look at a thinking answer of round 1
    When the bridge relays the request
    Then the session ends as "blocker" by row 12
    And every fault struck
    And the agent executed nothing
