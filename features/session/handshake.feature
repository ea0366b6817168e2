Feature: The handshake
  HELLO is sent once per conversation and holds static text only. The task travels in ROUND 1,
  after every condition of the establish gate holds.

  @edge-new-to-hello-sent @edge-hello-sent-to-established @edge-established-to-round
  Scenario: HELLO, an acknowledgement, then the first ROUND
    Given the request "给 README 加一节安装说明"
    And round 1 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And the site received these messages:
      | message | round | p |
      | HELLO   |       |   |
      | ROUND   | 1     | - |
    And the session took the edges "new-to-hello-sent, hello-sent-to-established, established-to-round"

  Scenario: HELLO is no question
    Given the request "为什么登录页在 Safari 上白屏？"
    And round 1 is answered with "done"
    When the bridge relays the request
    Then the HELLO holds the contract, the capabilities and the denials
    And the HELLO does not hold the request

  Scenario: HELLO carries a short label of the person's choice
    Given the request "把 lint 规则换成 gofumpt"
    And the objective "lint"
    And round 1 is answered with "done"
    When the bridge relays the request
    Then the HELLO names the objective "lint"
    And the HELLO does not hold the request

  @field-B19
  Scenario: A plan in place of the acknowledgement does not establish a session
    # Seen live: while HELLO still read like a task, it was answered with a well-formed PLAN.
    Given the acknowledgement deviates by "ack-plan"
    When the bridge relays the request
    Then the session ends as "handshake_refused"
    And the site received exactly 1 message
    And the agent executed nothing

  Scenario: An acknowledgement with the quirks of a web page is still an acknowledgement
    Given the acknowledgement deviates by "<quirk>"
    And round 1 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"

    Examples:
      | quirk            |
      | crlf             |
      | bom              |
      | nbsp             |
      | trailing-space   |
      | language-tag     |
      | tilde-fence      |
      | full-width-colon |
