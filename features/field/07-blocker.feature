Feature: Field bugs: something stands in the way
  Structure tells a blocker, never words. Where one stands nothing is typed and nothing is clicked; a
  page that only looks odd is none.

  # "Too many requests" was dismissed and the message sent again, five times within seconds.
  @field-B42
  Scenario Outline: The rate limit stands at the second message, <how>
    Given the site answers at "typical" pace
    And the site has the switch "<switch>"
    And round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "rate-limit" strikes before the guard of round 2
    When the bridge relays the request
    Then the session ends as "<end>"
    And every fault struck
    And the site received exactly 1 "ROUND" message
    And every message reached the site exactly once

    Examples:
      | switch       | end     | how                          |
      | NoStop       | blocker | with its dialog              |
      | NoRateDialog | manual  | and only the status tells so |

  # A script of the challenge platform and the words of a challenge made a healthy page "blocked".
  @field-B43
  Scenario: A healthy page that speaks of challenges
    Given the request "Explain the text: Just a moment... Verify you are human. Checking your browser"
    And the site answers at "typical" pace
    And the site has the switch "ChallengeScript"
    And the site has the switch "Title" set to "Just a moment..."
    And round 1 is answered with "continue" that runs "echo Attention Required! | Cloudflare"
    And round 2 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And no verdict was needed
    And the agent executed the rounds "1"

  # The page of a guest has a composer too; the send opened the login and the text was gone.
  @field-B45
  Scenario Outline: Nobody is logged in: "<blocker>"
    Given the site answers at "typical" pace
    And the site shows "<blocker>"
    When the bridge relays the request
    Then the session ends as "blocker" by row 12
    And the site received exactly 0 messages
    And the browser was given exactly 0 "Input.insertText" commands
    And the browser was given exactly 0 "Input.dispatchMouseEvent" commands

    Examples:
      | blocker |
      | login   |
      | expired |

  # Half an hour of a notice beside the turn, with the offer of a faster model: taken for an answer.
  @field-B46
  Scenario: A notice outside the turn offers a faster model for half an hour
    Given the site answers at "typical" pace
    And the site has the switch "Deferral"
    And round 1 thinks for "28m" and writes for "30s"
    And round 2 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And every message reached the site exactly once
    And the browser was given exactly 6 "Input.dispatchMouseEvent" commands
    And the agent executed word for word what the site wrote

  @field-B46
  Scenario: The notice stands and the answer never comes
    Given the site answers at "typical" pace
    And the site has the switch "Deferral"
    And the site has the switch "Never" set to "2"
    And round 1 is answered with "continue"
    When the bridge relays the request
    Then the session ends as "manual" by row 13
    And the site received exactly 1 "ROUND" message
    And the agent executed nothing
    And the run took at most "20h"

  # Cookies had piled up until every request had too large a header.
  @field-B48
  Scenario Outline: Every read of the record fails with <status>
    Given the site answers at "typical" pace
    And the site has the switch "RecordStatus" set to "<status>"
    And 2 rounds are answered with "continue"
    And round 3 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And the agent executed the rounds "1, 2"
    And the agent executed word for word what the site wrote

    Examples:
      | status |
      | 431    |
      | 500    |
      | 204    |

  @field-B48
  Scenario: Every read of the record fails and the copy button is broken: the page alone is no proof
    Given the site answers at "typical" pace
    And the site has the switch "RecordStatus" set to "431"
    And the site has the switch "CopyBroken"
    And round 1 is answered with "continue"
    When the bridge relays the request
    Then the session ends as "manual" by row 13
    And the site received exactly 1 message
    And the agent executed nothing
