Feature: REPAIR
  A fatal protocol error is repaired in the same round: nothing is advanced, nothing is executed.

  @edge-plan-to-repair @edge-repair-to-plan
  Scenario Outline: <code> is repaired in the same round
    Given round 1 is answered first with "<deviation>"
    And round 1 is answered with "continue"
    And round 2 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And the site received these messages:
      | message | round | p |
      | HELLO   |       |   |
      | ROUND   | 1     | - |
      | REPAIR  | 1     | - |
      | ROUND   | 2     | 1 |
    And the REPAIR of round 1 names "<code>"
    And the agent executed the rounds "1"
    And the session took the edges "plan-to-repair, repair-to-plan"

    @err-E_BLOCKS
    Examples: the code-block count is not exactly 1
      | deviation       | code     |
      | plan-two-blocks | E_BLOCKS |
      | plan-no-block   | E_BLOCKS |

    @err-E_HEADER
    Examples: missing or wrong header
      | deviation      | code     |
      | plan-no-header | E_HEADER |
      | plan-header    | E_HEADER |

    @err-E_FRAME
    Examples: FRAME missing, or one of its fields is another
      | deviation     | code    |
      | plan-no-frame | E_FRAME |
      | plan-sid      | E_FRAME |
      | plan-round    | E_FRAME |
      | plan-prev     | E_FRAME |
      | plan-qid      | E_FRAME |

    @err-E_REQUIRED
    Examples: a required field is absent
      | deviation        | code       |
      | plan-no-task     | E_REQUIRED |
      | plan-no-goal     | E_REQUIRED |
      | plan-no-steps    | E_REQUIRED |
      | plan-no-files    | E_REQUIRED |
      | plan-no-commands | E_REQUIRED |
      | plan-no-risks    | E_REQUIRED |
      | plan-no-verify   | E_REQUIRED |

    @err-E_DECISION
    Examples: DECISION missing or outside the enum
      | deviation        | code       |
      | plan-no-decision | E_DECISION |
      | plan-decision    | E_DECISION |

    @err-E_PARSE
    Examples: the plan could not be parsed, or something stands outside the block
      | deviation        | code    |
      | plan-text-before | E_PARSE |
      | plan-text-after  | E_PARSE |

  Scenario: Two REPAIRs are allowed
    Given round 1 is answered first with "plan-no-decision"
    And round 1 is answered then with "plan-no-goal"
    And round 1 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And the site received these messages:
      | message | round | p |
      | HELLO   |       |   |
      | ROUND   | 1     | - |
      | REPAIR  | 1     | - |
      | REPAIR  | 1     | - |

  @edge-repair-to-violation
  Scenario: After MAX_REPAIRS the loop stops with protocol_violation
    Given round 1 is answered always with "plan-no-decision"
    When the bridge relays the request
    Then the session ends as "protocol_violation"
    And the site received exactly 2 "REPAIR" messages
    And the agent executed nothing
    And the checkpoint is none
    And the session took the edges "repair-to-violation"

  @edge-repair-to-resync
  Scenario: A REPAIR answered without any header means that the context is lost
    Given round 1 is answered first with "plan-forgot"
    And round 1 is answered then with "plan-forgot"
    And round 2 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And the site received these messages:
      | message | round | p |
      | HELLO   |       |   |
      | ROUND   | 1     | - |
      | REPAIR  | 1     | - |
      | RESYNC  |       |   |
      | ROUND   | 2     | - |
    And the agent executed nothing
    And the session took the edges "repair-to-resync"

  Scenario Outline: What a web page does to a plan is no fault of the other side
    Given round 1 is answered first with "<quirk>"
    And round 2 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And the site received exactly 0 "REPAIR" messages
    And the agent executed the rounds "1"

    Examples:
      | quirk            |
      | crlf             |
      | bom              |
      | nbsp             |
      | trailing-space   |
      | language-tag     |
      | tilde-fence      |
      | nested-fence     |
      | full-width-colon |
      | smart-quotes     |
