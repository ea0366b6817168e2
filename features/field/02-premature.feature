Feature: Field bugs: captured too early
  Silence, a button that goes away, a bar that flashes: none of them is the end of a turn. The end is
  positive proof on our own turn.

  # Text stood still for some seconds without a stop button; half a plan was taken for the plan.
  @field-B11
  Scenario Outline: The stream pauses for <gap> at <percent> percent<how>
    Given the site answers at "typical" pace
    And the site has the switch "PauseAt" set to "<percent>"
    And the site has the switch "PauseFor" set to "<gap>"
    And the site has the switch "<switch>"
    And round 1 is answered with "continue"
    And round 2 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And no verdict was needed
    And the site received exactly 0 "REPAIR" messages
    And the agent executed word for word what the site wrote

    Examples:
      | percent | gap | switch      | how                                 |
      | 50      | 3s  | NoStop      | , and no stop button is ever there  |
      | 50      | 20s | NoStop      | , and no stop button is ever there  |
      | 90      | 20s | NoStop      | , and no stop button is ever there  |
      | 99      | 3m  | StopFlicker | , and the stop button flickers      |
      | 10      | 40s | NoBar       | , and no bar ever tells the end     |

  # A sentence of introduction was captured as the answer; the reasoning took minutes more.
  @field-B12
  Scenario Outline: A commentary stands for <think> before the answer
    Given the site answers at "typical" pace
    And the site has the switch "Preamble" set to "我先看一下仓库的结构，再给出方案。"
    And the site has the switch "<switch>"
    And round 1 thinks for "<think>" and writes for "20s"
    And round 2 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And the site received exactly 0 "REPAIR" messages
    And every message reached the site exactly once
    And the agent executed word for word what the site wrote

    Examples:
      | think | switch |
      | 5s    | NoStop |
      | 8m    | NoStop |
      | 8m    | NoBar  |

  # The action bar stood for a second at the first word, and one word was taken for the answer.
  @field-B13
  Scenario Outline: The bar flashes with the first piece of text, pieces come every <slow>
    Given the site answers at "typical" pace
    And the site has the switch "EarlyBar"
    And the site has the switch "NoStop"
    And round 1 thinks for "30s" and writes for "<slow>"
    And round 2 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And the site received exactly 0 "REPAIR" messages
    And the agent executed word for word what the site wrote

    Examples:
      | slow |
      | 10s  |
      | 2m   |
      | 20m  |

  # A turn with a tool in it was captured between two steps, where nothing said that it would go on.
  @field-B15
  Scenario: Introduction, silence, half a text, silence, and the rest
    Given the site answers at "typical" pace
    And the site has the switch "Preamble" set to "正在调用工具……"
    And the site has the switch "PauseAt" set to "40"
    And the site has the switch "PauseFor" set to "90s"
    And the site has the switch "NoStop"
    And round 1 thinks for "2m" and writes for "30s"
    And round 2 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And the site received exactly 0 "REPAIR" messages
    And the agent executed word for word what the site wrote

  @field-B15
  Scenario: A plan that waits for a person's approval of a tool is waited for, and nothing is clicked
    Given the site answers at "typical" pace
    And the site has the switch "ToolApproval"
    And round 1 is answered with "continue"
    When the bridge relays the request
    Then the session ends as "manual" by row 13
    And the site received exactly 1 "ROUND" message
    And the agent executed nothing

  # The time ran out after 74 words, and they were given back as the whole answer.
  @field-B16
  Scenario: The answer is slower than the limit of one wait
    Given the site answers at "typical" pace
    And round 1 thinks for "1m" and writes for "80m"
    And round 2 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And the bridge recovered by row 2
    And every message reached the site exactly once
    And the agent executed word for word what the site wrote

  @field-B16
  Scenario: The time of the round is over in the middle of the text
    Given the site answers at "typical" pace
    And at most "5m" for each round
    And round 1 thinks for "1m" and writes for "80m"
    When the bridge relays the request
    Then the session ends as "boundary" by row 14
    And the site received exactly 1 "ROUND" message
    And the agent executed nothing

  # The first stream ended with a hand-off, and its end was taken for the end of the answer.
  @field-B18
  Scenario: The first stream ends at once and the text comes another way
    Given the site answers at "typical" pace
    And the site has the switch "Handoff"
    And round 1 thinks for "40s" and writes for "40s"
    And round 2 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And the site received exactly 0 "REPAIR" messages
    And the agent executed word for word what the site wrote
