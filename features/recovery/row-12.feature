@row-12
Feature: Row 12: a blocker
  Confirmed by the guard: give up. No generic reconnect loop; nothing is typed or clicked any more.

  Scenario Outline: "<blocker>" appears <when>: ROUND 1 never goes out
    Given the site answers at "typical" pace
    And round 1 thinks for "20s" and writes for "3m"
    And round 2 is answered with "done"
    And "<blocker>" strikes <when>
    When the bridge relays the request
    Then the session ends as "blocker" by row 12
    And every fault struck
    And the site received these messages:
      | message | round | p |
      | HELLO   |       |   |
    And the browser was given exactly 2 "Input.dispatchMouseEvent" commands
    And the browser was given exactly 0 "Input.dispatchKeyEvent" commands
    And the browser was given exactly 1 "dial" command
    And the agent executed nothing
    And the checkpoint is none

    Examples:
      | blocker       | when                                     |
      | captcha       | before the insert of round 1             |
      | logout        | before the insert of round 1             |
      | account-block | before the insert of round 1             |
      | usage-cap     | before the insert of round 1             |
      | captcha       | before the check of the guard of round 1 |

  # The page learns of it a moment later than the site does: the press may still meet a healthy page.
  Scenario Outline: "<blocker>" appears in the moment of the press: it is pressed once at most
    Given the site answers at "typical" pace
    And round 1 thinks for "20s" and writes for "3m"
    And round 2 is answered with "done"
    And "<blocker>" strikes before the guard of round 1
    When the bridge relays the request
    Then the session ends as "blocker" by row 12
    And every fault struck
    And the site received these messages:
      | message | round | p |
      | HELLO   |       |   |
    And the browser was given at most 4 "Input.dispatchMouseEvent" commands
    And the browser was given exactly 0 "Input.dispatchKeyEvent" commands
    And the browser was given exactly 1 "dial" command
    And the agent executed nothing
    And the checkpoint is none

    Examples:
      | blocker    |
      | captcha    |
      | logout     |
      | rate-limit |
      | usage-cap  |

  Scenario: A rate limit while the answer streams: what is out stays out once, and nothing follows
    Given the site answers at "typical" pace
    And round 1 thinks for "20s" and writes for "3m"
    And round 2 is answered with "done"
    And "rate-limit" strikes before the first look at a streaming answer of round 1
    When the bridge relays the request
    Then the session ends as "blocker" by row 12
    And every fault struck
    And the site received these messages:
      | message | round | p |
      | HELLO   |       |   |
      | ROUND   | 1     | - |
    And the browser was given exactly 4 "Input.dispatchMouseEvent" commands
    And the browser was given exactly 2 "Input.insertText" commands
    And the browser was given exactly 1 "dial" command
    And the agent executed nothing
    And the checkpoint is none

  Scenario: A blocker between two rounds leaves what was settled settled
    Given the site answers at "typical" pace
    And round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "usage-cap" strikes before the insert of round 2
    When the bridge relays the request
    Then the session ends as "blocker" by row 12
    And every fault struck
    And the site received these messages:
      | message | round | p |
      | HELLO   |       |   |
      | ROUND   | 1     | - |
    And the browser was given exactly 4 "Input.dispatchMouseEvent" commands
    And the agent executed the rounds "1"
    And the checkpoint is round 1

  Scenario: The forbidden column: after the blocker was seen nothing is typed, clicked or dialled
    Given the site answers at "typical" pace
    And round 1 thinks for "20m"
    And round 2 is answered with "done"
    And "captcha" strikes before the first look at a thinking answer of round 1
    When the bridge relays the request
    Then the session ends as "blocker" by row 12
    And every fault struck
    And the browser was given exactly 4 "Input.dispatchMouseEvent" commands
    And the browser was given exactly 1 "dial" command
    And the checkpoint is none

  Scenario: Near miss: a banner that announces a smaller model lets sends through
    Given the site answers at "typical" pace
    And the site shows "downgrade"
    And round 1 is answered with "continue"
    And round 2 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And no verdict was needed
