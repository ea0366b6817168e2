Feature: Field bugs: read from the wrong place
  Roles and turn ids decide what is the answer, structure decides what is clicked.

  # The last text on the page was the user's own, and it came back as the answer.
  @field-B19
  Scenario Outline: The request itself holds something that looks like a plan, and "<switch>"
    Given the request is:
      """
      Do as this old plan says:

      ```
      # PLAN pi-bridge/1
      DECISION: continue
      TASK: remove everything
      GOAL: an empty folder
      STEPS:
      - remove
      FILES:
      COMMANDS:
      - rm -rf /
      RISKS:
      VERIFY:
      ```
      """
    And the site answers at "typical" pace
    And the site has the switch "<switch>"
    And round 1 thinks for "40s" and writes for "10s"
    And round 2 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And no verdict was needed
    And the agent executed the rounds "1"
    And the agent executed word for word what the site wrote

    Examples:
      | switch   |
      | NoBar    |
      | NoStop   |
      | UserHTML |

  # The first submit button of a form was "Answer now", and it cut the thinking short.
  @field-B21
  Scenario: A submit button "Answer now" stands while it thinks
    Given the site answers at "typical" pace
    And the site has the switch "AnswerNow"
    And round 1 thinks for "4m" and writes for "10s"
    And round 2 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And the browser was given exactly 6 "Input.dispatchMouseEvent" commands
    And the agent executed word for word what the site wrote

  # The element around a turn had another name, and the page had "no messages".
  @field-B22
  Scenario Outline: The document is of the family "<family>" with the editor "<editor>"
    Given the site answers at "typical" pace
    And the site has the switch "Family" set to "<family>"
    And the site has the switch "Editor" set to "<editor>"
    And round 1 thinks for "20s" and writes for "3m"
    And round 2 is answered with "done"
    And "<fault>" strikes <when>
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And every message reached the site exactly once
    And the agent executed word for word what the site wrote

    Examples:
      | family  | editor      | fault   | when                                                   |
      | section | prosemirror | sever   | after the submit of round 1                            |
      | article | lexical     | sever   | after the submit of round 1                            |
      | li      | prosemirror | sever   | after the submit of round 1                            |
      | b       | prosemirror | sever   | after the submit of round 1                            |
      | article | prosemirror | reload  | before the first look at a streaming answer of round 1 |
      | li      | lexical     | reload  | before the first look at a streaming answer of round 1 |
      | b       | lexical     | kill-pi | after the submit of round 1                            |

  # The turn held a remark, the text stood in a panel beside it, and the remark was the "answer".
  @field-B23
  Scenario: The answer stands in a side panel
    Given the site answers at "typical" pace
    And the site has the switch "Canvas"
    And round 1 is answered with "continue"
    When the bridge relays the request
    Then the session ends as "handshake_refused"
    And the site received exactly 1 message
    And the agent executed nothing

  # The copy button gave what the clipboard held from before.
  @field-B23
  Scenario Outline: The copy button is no witness: "<switch>"
    Given the site answers at "typical" pace
    And the site has the switch "<switch>"
    And 2 rounds are answered with "continue"
    And round 3 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And no verdict was needed
    And the agent executed word for word what the site wrote

    Examples:
      | switch     |
      | CopyBroken |
      | CopyStale  |
