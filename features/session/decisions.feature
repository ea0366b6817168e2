Feature: The four decisions
  ChatGPT decides what should be done.

  @edge-round-to-plan @edge-plan-to-executing @edge-executing-to-settled @edge-settled-to-round
  Scenario: continue is executed and reported back
    Given round 1 is answered with "continue"
    And the agent reports "npm test 全绿" in round 1
    And round 2 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And the agent executed the rounds "1"
    And the site received these messages:
      | message | round | p |
      | HELLO   |       |   |
      | ROUND   | 1     | - |
      | ROUND   | 2     | 1 |
    And the ROUND of round 2 reports "npm test 全绿"
    And the session took the edges "round-to-plan, plan-to-executing, executing-to-settled, settled-to-round"

  @edge-plan-to-closed
  Scenario: done is terminal, is not executed and is not folded into the checkpoint
    Given round 1 is answered with "continue"
    And round 2 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And the session is closed by round 2
    And the checkpoint is round 1
    And the agent executed the rounds "1"
    And the last message of ours is the ROUND of round 2

  @edge-plan-to-stopped
  Scenario: blocked stops and says what is missing
    Given round 1 is answered with "blocked" because "需要人工登录邮箱"
    When the bridge relays the request
    Then the session ends as "blocked"
    And the report names "需要人工登录邮箱"
    And the checkpoint is none
    And the agent executed nothing

  Scenario: need_info is executed like continue, for its steps gather information
    Given round 1 is answered with "need_info"
    And the agent reports "go.mod 里是 Go 1.26" in round 1
    And round 2 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And the agent executed the rounds "1"
    And the ROUND of round 2 reports "go.mod 里是 Go 1.26"

  Scenario Outline: A plan that needs a denied capability is refused before any effect
    Given round 1 is answered with "continue" that runs "<command>"
    And round 2 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And the agent executed nothing
    And the ROUND of round 2 reports "<capability>"
    And the checkpoint is none

    Examples:
      | command                        | capability |
      | curl https://example.org/x.tgz | net        |
      | git push origin main           | net        |
      | xdg-open report.html           | gui        |
      | kubectl apply -f deploy.yaml   | remote.api |

  Scenario: What is denied is what pi says, not what the table lists
    Given pi must not do "gui"
    And round 1 is answered with "continue" that runs "curl http://127.0.0.1:8080/health"
    And round 2 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And the agent executed the rounds "1"

  Scenario Outline: A denied "<denial>" is enforced like every other
    Given pi must not do "<denial>"
    And round 1 is answered with "continue" that runs "<command>"
    And round 2 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And the agent executed nothing
    And the ROUND of round 2 reports "<denial>"

    Examples:
      | denial      | command          |
      | shell.local | ls -la           |
      | git.local   | git commit -m x  |
      | test.repo   | go test ./...    |
      | file.write  | gofmt -w main.go |
