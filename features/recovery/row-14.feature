@row-14
Feature: Row 14: a boundary is reached
  checkBoundaries() says stop: give up. Recovery must not bypass a boundary. (The boundaries of a quiet
  session are in session/boundaries.feature.)

  Scenario Outline: The limit is over when "<fault>" has been recovered from: nothing is sent any more
    Given the site answers at "typical" pace
    And at most "15m" in all
    And round 1 is answered with "continue"
    And round 2 thinks for "20m"
    And round 3 is answered with "done"
    And "<fault>" strikes after the first look at a thinking answer of round 2
    When the bridge relays the request
    Then the session ends as "boundary" by row 14
    And every fault struck
    And the checkpoint is round 1
    And the site received exactly 2 "ROUND" messages
    And the site received exactly 0 "RESYNC" messages

    Examples:
      | fault     |
      | sever     |
      | reload    |
      | close-tab |

  Scenario Outline: pi comes back <later> later and the limit is over
    Given the site answers at "typical" pace
    And at most "30m" in all
    And round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "kill-pi" with "for=<later>" strikes after the write of checkpoint of round 1
    When the bridge relays the request
    Then the session ends as "boundary" by row 14
    And every fault struck
    And the checkpoint is round 1
    And the site received exactly 0 "RESUME" messages
    And the site received exactly 1 "ROUND" message

    Examples:
      | later |
      | 40m   |
      | 3h    |

  Scenario: A boundary while the agent works: the settlement comes first
    Given the site answers at "typical" pace
    And at most "10m" in all
    And round 1 is answered with "continue"
    And the agent takes "20m" in round 1
    And round 2 is answered with "done"
    And "kill-pi" strikes before the first question to the agent of round 1
    When the bridge relays the request
    Then the session ends as "boundary" by row 14
    And every fault struck
    And the agent executed the rounds "1"
    And the checkpoint is round 1
    And the site received exactly 1 "ROUND" message

  @row-03
  Scenario: Near miss: within the limit the line is mended and the session goes on
    Given the site answers at "typical" pace
    And at most "15m" in all
    And at most 2 rounds
    And round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "sever" strikes after the submit of round 2
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the bridge recovered by row 3
    And every message reached the site exactly once
