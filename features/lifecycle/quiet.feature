Feature: The life of a session that nothing disturbs
  The state machine has the named edges and no other. Each is taken by one durable record; nobody
  steps over a state that the other side has not been brought to.

  @edge-new-to-hello-sent
  Scenario: new → hello-sent: the intent of HELLO is durable before anything can be submitted
    Given round 1 is answered with "done"
    And "sever" strikes before the submit of round 0
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the session took the edge "new-to-hello-sent" from "new"
    And the site received exactly 1 "HELLO" message

  @edge-hello-sent-to-established @edge-established-to-round
  Scenario: hello-sent → established → round: the task follows the acknowledgement
    Given the site answers at "typical" pace
    And round 1 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And the session took the edge "hello-sent-to-established" from "hello-sent"
    And the session took the edge "established-to-round" from "established"
    And the request reached the site exactly once, in the ROUND of round 1

  @edge-hello-sent-to-refused
  Scenario: hello-sent → refused: a half-established session sends no task
    Given the acknowledgement deviates by "ack-no-features"
    When the bridge relays the request
    Then the session ends as "handshake_refused"
    And the session took the edge "hello-sent-to-refused" from "hello-sent"
    And the site received exactly 1 message

  @edge-round-to-plan @edge-plan-to-executing @edge-executing-to-settled @edge-settled-to-round
  Scenario: round → plan → executing → settled → round
    Given the site answers at "typical" pace
    And 2 rounds are answered with "continue"
    And round 3 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And the session took the edge "round-to-plan" from "round"
    And the session took the edge "plan-to-executing" from "plan"
    And the session took the edge "executing-to-settled" from "executing"
    And the session took the edge "settled-to-round" from "settled"
    And the agent executed the rounds "1, 2"
    And the agent executed word for word what the site wrote

  @edge-settled-to-round
  Scenario: A round that was closed unexecuted is over like a settled one
    Given round 1 is answered with "continue" that runs "curl https://example.org"
    And round 2 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And the session took the edge "settled-to-round" from "plan"
    And the agent executed nothing

  @edge-plan-to-closed
  Scenario: plan → closed: done is terminal and is not executed
    Given round 1 is answered with "done" that runs "npm publish"
    When the bridge relays the request
    Then the session ends as "done"
    And the session took the edge "plan-to-closed" from "plan"
    And the session is closed by round 1
    And the agent executed nothing
    And every tab that the bridge opened is closed

  @edge-plan-to-stopped
  Scenario: plan → stopped: blocked stops, says what is missing and executes nothing
    Given round 1 is answered with "continue"
    And round 2 is answered with "blocked" because "缺少部署密钥"
    When the bridge relays the request
    Then the session ends as "blocked"
    And the session took the edge "plan-to-stopped" from "plan"
    And the report names "缺少部署密钥"
    And the agent executed the rounds "1"
    And the checkpoint is round 1

  @edge-plan-to-repair @edge-repair-to-plan
  Scenario: plan → repair → plan: the same round again, and only the repaired plan runs
    Given the site answers at "typical" pace
    And round 1 is answered with "continue"
    And round 2 is answered first with "plan-garbage"
    And round 2 is answered with "continue"
    And round 3 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And the session took the edge "plan-to-repair" from "plan-invalid"
    And the session took the edge "repair-to-plan" from "repair"
    And the site received these messages:
      | message | round | p |
      | HELLO   |       |   |
      | ROUND   | 1     | - |
      | ROUND   | 2     | 1 |
      | REPAIR  | 2     | 1 |
      | ROUND   | 3     | 2 |
    And the agent executed the rounds "1, 2"

  @edge-repair-to-violation
  Scenario: repair → violation: what ran before stays, nothing more is sent
    Given round 1 is answered with "continue"
    And round 2 is answered always with "plan-two-blocks"
    When the bridge relays the request
    Then the session ends as "protocol_violation"
    And the session took the edge "repair-to-violation" from "plan-invalid"
    And the site received exactly 2 "REPAIR" messages
    And the agent executed the rounds "1"
    And the checkpoint is round 1

  @edge-repair-to-resync @edge-resync-to-established
  Scenario: repair → resync → established: a lost context is declared again, not repaired again
    Given round 1 is answered with "continue"
    And round 2 is answered first with "plan-forgot"
    And round 2 is answered then with "plan-forgot"
    And round 3 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And the session took the edge "repair-to-resync" from "plan-invalid"
    And the session took the edge "resync-to-established" from "resync"
    And the site received exactly 1 "REPAIR" message
    And the site received exactly 1 "RESYNC" message
    And the RESYNC repeats the HELLO word for word
    And the checkpoint is round 1
