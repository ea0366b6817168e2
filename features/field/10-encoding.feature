Feature: Field bugs: the text on its way
  What was typed is read back whole before it is sent; what was read is what the site wrote, letter
  for letter, or it is not executed.

  # Line breaks of code were lost in one kind of viewer: a plan in one line.
  @field-B61
  Scenario Outline: Code stands in the view "<view>", and the record can<not> be read
    Given the site answers at "typical" pace
    And the site has the switch "CodeView" set to "<view>"
    And the site has the switch "RecordStatus" set to "<status>"
    And 2 rounds are answered with "continue"
    And round 3 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And the agent executed the rounds "1, 2"
    And the agent executed word for word what the site wrote

    Examples:
      | view    | status | not |
      | cm      | 200    |     |
      | cm      | 503    | not |
      | classic | 503    | not |

  # A very long insert lost its first or last piece, and a long command overran the pipe.
  @field-B63 @field-B65 @field-D42 @field-D43
  Scenario Outline: A request of <size> characters
    Given the request has <size> characters
    And the site answers at "typical" pace
    And round 1 is answered with "continue"
    And round 2 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And the request reached the site exactly once, in the ROUND of round 1
    And every message reached the site exactly once

    Examples:
      | size   |
      | 20000  |
      | 120000 |

  @field-B63
  Scenario: A message that is too long for the site is refused, and nothing is sent in pieces
    Given the request has 120000 characters
    And the site has the switch "MaxText" set to "100000"
    And round 1 is answered with "done"
    When the bridge relays the request
    Then the session ends as "manual" by row 13
    And the site received exactly 1 message
    And the agent executed nothing

  # The composer gives other spaces back than were typed; "not the same text" for ever.
  @field-B63
  Scenario: Runs of spaces come back as other spaces
    Given the request is:
      """
      Keep the columns of this table:

          name      size     time
          a.go        12    10:30
      """
    And the site answers at "typical" pace
    And the site has the switch "NBSP"
    And round 1 is answered with "continue"
    And round 2 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And every message reached the site exactly once

  # A notice beside the prompt broke the comparison of hashes.
  @field-B66
  Scenario: A notice stands in the user turn
    Given the site answers at "typical" pace
    And the site has the switch "UserNotice"
    And round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "kill-pi" strikes after the submit of round 1
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And every message reached the site exactly once
    And the agent executed the rounds "1"
