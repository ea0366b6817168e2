Feature: Field bugs: waiting for the wrong thing
  A limit stands on every wait, and no wait is for a sign that may never come.

  # The bar never appeared: a finished answer failed after a minute.
  @field-B71
  Scenario Outline: The answer ends without an action bar, and the stop button <stop>
    Given the site answers at "typical" pace
    And the site has the switch "NoBar"
    And the site has the switch "<switch>"
    And 2 rounds are answered with "continue"
    And round 3 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And no verdict was needed
    And the agent executed word for word what the site wrote
    And the run took at most "20m"

    Examples:
      | switch      | stop           |
      | NoStop      | never appeared |
      | StopFlicker | flickered      |

  # One word within a moment: the program had not seen "running" and never saw "finished".
  @field-B72
  Scenario: Answers that are there at once
    Given the site answers at "instant" pace
    And 3 rounds are answered with "continue"
    And round 4 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And no verdict was needed
    And the agent executed the rounds "1, 2, 3"
    And the run took at most "20m"

  # A button to stop reading aloud, in a chat about stopping: "it is still running".
  @field-B73
  Scenario: Other things begin with Stop
    Given the site answers at "typical" pace
    And the site has the switch "OtherStop"
    And the site has the switch "Title" set to "Stop the leak"
    And round 1 is answered with "continue"
    And round 2 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And no verdict was needed
    And the run took at most "20m"

  # The composer never came, the preparation went on past its limit, and then it was sent after all.
  @field-B77
  Scenario: The composer never stands
    Given the site answers at "typical" pace
    And the site has the switch "FallbackFor" set to "40h"
    And round 1 is answered with "done"
    When the bridge relays the request
    Then the session ends as "manual" by row 13
    And the site received exactly 0 messages
    And the browser was given exactly 0 "Input.insertText" commands
    And the run took at most "3h"

  # The page was never quiet, and quiet was waited for.
  @field-B78
  Scenario: A page that is never still
    Given the site answers at "typical" pace
    And the site has the switch "StopFlicker"
    And the site has the switch "EarlyBar"
    And the site has the switch "Deferral"
    And the site has the switch "OtherStop"
    And round 1 thinks for "1m" and writes for "3m"
    And round 2 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And the agent executed word for word what the site wrote

  # Two answers stood side by side, a person had to choose, and the choice was waited for.
  @field-B71
  Scenario: Two responses stand side by side
    Given the site answers at "typical" pace
    And the site has the switch "TwoResponses"
    And round 1 is answered with "continue"
    And round 2 is answered with "done"
    When the bridge relays the request
    Then every message reached the site exactly once
    And the browser was given at most 6 "Input.dispatchMouseEvent" commands

  # The answer hit the output limit; half a plan ran.
  @field-B16
  Scenario: The answer stops at half and offers to continue
    Given the site answers at "typical" pace
    And the site has the switch "Continue"
    And round 1 is answered with "continue"
    And round 2 is answered with "done"
    When the bridge relays the request
    Then the session ends as "protocol_violation"
    And the site received exactly 1 "ROUND" message
    And the agent executed nothing
