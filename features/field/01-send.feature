Feature: Field bugs: did the message go out?
  A bridge that is not sure and sends again makes two turns of one request. Proof decides: the id of
  the request, our own turn in page or record, never the answer of a click.

  Scenario Outline: The answer to the click is lost: "<fault>" <when>
    Given the site answers at "typical" pace
    And round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "<fault>" strikes <when>
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And every message reached the site exactly once
    And the site received exactly 2 "ROUND" messages
    And the agent executed word for word what the site wrote

    # The transport connected again and repeated the click: one request, two turns.
    @field-B01
    Examples: The line is cut while the click is under way
      | fault | when                            |
      | sever | before the press of round 1     |
      | sever | after the press of round 1      |
      | sever | after the submit of round 1     |
      | sever | late at the submit of round 1   |

    # The call of the driver failed with a bare network error, and the client sent it once more.
    @field-B09
    Examples: Only this one answer is missing
      | fault     | when                        |
      | drop      | after the submit of round 1 |
      | drop      | before the submit of round 1 |
      | cdp-error | after the submit of round 1 |
      | delay     | after the submit of round 1 |

  # A wrapper tried the whole turn again when the limit showed up after the message had been taken.
  @field-B02 @field-B42
  Scenario: The site takes the message, then shows its rate limit
    Given the site answers at "typical" pace
    And round 1 is answered with "continue"
    And round 1 thinks for "20s" and writes for "2m"
    And round 2 is answered with "done"
    And "rate-limit" strikes before the first look at a streaming answer of round 1
    When the bridge relays the request
    Then the session ends as "blocker" by row 12
    And every fault struck
    And every message reached the site exactly once
    And the site received exactly 1 "ROUND" message
    And the agent executed nothing

  # The first click did nothing, the bridge pressed Enter as well, and that changed the text.
  @field-B04
  Scenario: The first click on Send does nothing
    Given the request is:
      """
      Fix the two failures:

      ```text
      login_test.go:12: timeout
      ```
      """
    And the site has the switch "SendNoop" set to "1"
    And round 1 is answered with "done"
    When the bridge relays the request
    Then the session ends as "manual" by row 13
    And the site received exactly 0 messages
    And the browser was given exactly 2 "Input.dispatchMouseEvent" commands
    And the browser was given at most 0 "Input.dispatchKeyEvent" commands

  # The posted turn was compared with the prompt as text; rendered, it looked different: "not sent".
  @field-B05
  Scenario Outline: The user turn does not look like what was typed: "<switch>", the answer to the click "<answer>"
    Given the request is:
      """
      Fix   the failure in the log,  then run the tests:

      ```go
      if err  !=  nil { t.Fatal(err) }
      ```
      """
    And the site answers at "typical" pace
    And the site has the switch "<switch>"
    And round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "<answer>" strikes after the submit of round 1
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And every message reached the site exactly once
    And the request reached the site exactly once, in the ROUND of round 1

    Examples:
      | switch     | answer |
      | UserHTML   | sever  |
      | UserHTML   | drop   |
      | UserNotice | sever  |

  # A draft that the server had kept stood before the new prompt, and both were sent as one.
  @field-B06
  Scenario Outline: A draft comes back <after> after the composer stands
    Given the site answers at "typical" pace
    And the site has the switch "DraftRestored" set to "half a thought from yesterday"
    And the site has the switch "DraftAfter" set to "<after>"
    And round 1 is answered with "continue"
    And round 2 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And every message reached the site exactly once
    And the HELLO holds the contract, the capabilities and the denials
    And the agent executed the rounds "1"

    Examples:
      | after |
      | 10ms  |
      | 500ms |
      | 3s    |

  @field-B06
  Scenario Outline: What was typed is wiped <after> after the composer stands
    Given the site answers at "typical" pace
    And the site has the switch "LateWipe" set to "<after>"
    And round 1 is answered with "continue"
    And round 2 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And every message reached the site exactly once
    And the HELLO holds the contract, the capabilities and the denials

    Examples:
      | after |
      | 10ms  |
      | 200ms |
      | 2s    |

  # The text area of the page before its script is there took the prompt; its form loads an address.
  @field-B08
  Scenario: Only the fallback text area stands for six seconds
    Given the site answers at "typical" pace
    And the site has the switch "FallbackFor" set to "12s"
    And round 1 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And the site received exactly 1 "HELLO" message
    And every message reached the site exactly once

  # Chrome was gone before the prompt went out; the session stayed "running" for ever.
  @field-D02
  Scenario Outline: The line is cut before anything was submitted, and "<fault>" decides what is left
    Given the site answers at "typical" pace
    And round 1 is answered with "done"
    And "<fault>" strikes <when>
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the site received exactly 1 "HELLO" message
    And every message reached the site exactly once

    Examples:
      | fault     | when                          |
      | sever     | before the submit of round 0  |
      | sever     | before the insert of round 0  |
      | close-tab | before the insert of round 0  |
      | relaunch  | before the insert of round 0  |
      | kill-pi   | before the arming of round 0  |

  # A 500 on the send was taken for a refusal and the message typed again; it had been accepted.
  @field-B09
  Scenario: The site answers 500 and has taken the message
    Given the site answers at "typical" pace
    And round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "accepted-500" strikes before the guard of round 1
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And every message reached the site exactly once
    And the agent executed the rounds "1"

  @field-B09
  Scenario Outline: "<fault>" on the send leaves it unknown for good: a person decides, nothing is sent again
    Given the site answers at "typical" pace
    And round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "<fault>" strikes before the guard of round 1
    When the bridge relays the request
    Then the session ends as "manual" by row 13
    And every fault struck
    And the site received at most 1 "ROUND" message
    And the browser was given exactly 4 "Input.dispatchMouseEvent" commands
    And the agent executed nothing

    Examples:
      | fault        |
      | server-error |
      | drop-message |
