Feature: The round cycle
  One FRAME line plus what actually changed. The contract, the capabilities and the root request are
  not repeated.

  Scenario: p= names the last plan that was validated, executed and settled
    Given 3 rounds are answered with "continue"
    And round 4 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And the site received these messages:
      | message | round | p |
      | HELLO   |       |   |
      | ROUND   | 1     | - |
      | ROUND   | 2     | 1 |
      | ROUND   | 3     | 2 |
      | ROUND   | 4     | 3 |
    And the checkpoint is round 3
    And the agent executed the rounds "1, 2, 3"
    And the agent executed word for word what the site wrote

  Scenario: A round that was refused leaves p= where it was
    Given round 1 is answered with "continue"
    And round 2 is answered with "continue" that runs "curl https://example.org"
    And round 3 is answered with "done"
    When the bridge relays the request
    Then the site received these messages:
      | message | round | p |
      | HELLO   |       |   |
      | ROUND   | 1     | - |
      | ROUND   | 2     | 1 |
      | ROUND   | 3     | 1 |
    And the checkpoint is round 1

  Scenario: The request travels in full exactly once
    Given the request "把登录超时从 30 秒改成 5 分钟，并补一个测试"
    And 7 rounds are answered with "continue"
    And round 8 is answered with "done"
    When the bridge relays the request
    Then the request reached the site exactly once, in the ROUND of round 1
    And no ROUND after the first holds contract, capabilities, denials or request

  Scenario: A failed execution is settled all the same and reported
    Given round 1 is answered with "continue"
    And the agent fails in round 1
    And round 2 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And the checkpoint is round 1
    And the ROUND of round 2 reports "失败"

  Scenario: A long answer at the measured pace of the site is taken whole
    Given the site answers at "typical" pace
    And round 1 thinks for "28m" and writes for "2m"
    And round 2 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And the run took at least "30m"
    And the run took at most "1h"
    And no verdict was needed
    And the agent executed the rounds "1"
    And the agent executed word for word what the site wrote
    And the site received exactly 3 messages

  Scenario: A model that thinks for a quarter of an hour is waited for
    Given the site answers at "slow-thinking" pace
    And round 1 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And the run took at least "15m"
    And no verdict was needed
    And the site received exactly 2 messages

  Scenario: The agent may take its time
    Given round 1 is answered with "continue"
    And the agent takes "12m" in round 1
    And round 2 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And the run took at least "12m"
    And the agent was asked to start round 1 exactly once
    And the ROUND of round 2 reports "第 1 轮已执行"

  Scenario: Each ROUND reports what the agent did with the plan before it
    Given round 1 is answered with "continue"
    And the agent reports "npm test 全绿" in round 1
    And round 2 is answered with "continue"
    And the agent reports "npm run lint 没有警告" in round 2
    And round 3 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And the ROUND of round 2 reports "npm test 全绿"
    And the ROUND of round 3 reports "npm run lint 没有警告"
