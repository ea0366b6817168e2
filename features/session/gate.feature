Feature: The establish gate
  A half-established session is worse than none: pi would execute plans while believing a contract
  is in force that the other side never agreed to. Each condition fails the gate alone.

  @edge-hello-sent-to-refused
  Scenario Outline: The acknowledgement fails for <condition> alone and nothing more is sent
    Given the acknowledgement deviates by "<deviation>"
    When the bridge relays the request
    Then the session ends as "handshake_refused"
    And the gate failed for "<condition>" alone
    And the site received exactly 1 message
    And the agent executed nothing
    And the session took the edges "hello-sent-to-refused"

    @gate-block
    Examples: The ACK stands in exactly one block
      | deviation      | condition |
      | ack-two-blocks | block     |
      | ack-no-block   | block     |
      | ack-unclosed   | block     |
      | ack-garbage    | block     |

    @gate-header
    Examples: The header is there and its wire id matches
      | deviation  | condition |
      | ack-header    | header    |
      | ack-no-header | header    |

    @gate-type
    Examples: TYPE is ack
      | deviation | condition |
      | ack-type  | type      |

    @gate-sid
    Examples: S equals the offered sid
      | deviation | condition |
      | ack-sid   | sid       |

    @gate-feature
    Examples: Every required feature is acknowledged
      | deviation        | condition |
      | ack-no-frame     | feature   |
      | ack-no-resume    | feature   |
      | ack-no-repair    | feature   |
      | ack-no-need_info | feature   |

  @edge-version-lost-to-resync @edge-resync-to-established
  Scenario Outline: A difference in the version domain is answered by one RESYNC
    Given the acknowledgement deviates once by "<deviation>"
    And round 1 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And the gate failed for "<condition>" alone
    And the site received these messages:
      | message | round | p |
      | HELLO   |       |   |
      | RESYNC  |       |   |
      | ROUND   | 1     | - |
    And the RESYNC repeats the HELLO word for word
    And the session took the edges "version-lost-to-resync, resync-to-established"

    @gate-hv @err-E_VERSION
    Examples: HV equals the offered HV
      | deviation | condition |
      | ack-hv    | hv        |

    @gate-cv @err-E_CONTRACT
    Examples: The CV number matches
      | deviation | condition |
      | ack-cv    | cv        |

    @gate-contract @err-E_CONTRACT
    Examples: The contract hash matches
      | deviation    | condition |
      | ack-contract | contract  |

    @gate-cap @err-E_CONTRACT
    Examples: The capability hash matches
      | deviation | condition |
      | ack-cap   | cap       |

  @row-13
  Scenario Outline: A RESYNC that is still inconsistent goes to a person
    Given the acknowledgement deviates by "<deviation>"
    When the bridge relays the request
    Then the session ends as "manual" by row 13
    And the site received exactly 2 messages
    And the agent executed nothing

    Examples:
      | deviation    |
      | ack-hv       |
      | ack-contract |
