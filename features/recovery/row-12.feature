@row-12
Feature: Row 12: a blocker
  Confirmed by the guard: give up. No generic reconnect loop; nothing is typed or clicked any more.

  Scenario Outline: "<blocker>" appears <when>
    Given the site answers at "typical" pace
    And round 1 thinks for "20s" and writes for "3m"
    And round 2 is answered with "done"
    And "<blocker>" strikes <when>
    When the bridge relays the request
    Then the session ends as "blocker" by row 12
    And every fault struck
    And the site received at most 1 "ROUND" message

    Examples:
      | blocker       | when                                                |
      | captcha       | before the guard of round 1                         |
      | logout        | before the guard of round 1                         |
      | rate-limit    | before the first look at a streaming answer of round 1 |
      | account-block | before the insert of round 1                        |
      | usage-cap     | before the guard of round 1                         |

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
