@row-03
Feature: Row 3: the CDP session drops, everything else lives
  sid, round and in-flight state are in memory: re-attach, discovery, retry the same round. No new
  HELLO, no blind ROUND.

  @edge-any-to-disconnected @edge-disconnected-to-round
  Scenario Outline: The socket is cut <when> and the session goes on
    Given the site answers at "typical" pace
    And round 1 thinks for "20s" and writes for "3m"
    And round 2 is answered with "done"
    And "sever" strikes <when>
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the bridge recovered by row 3
    And every message reached the site exactly once
    And the agent executed the rounds "1"
    And the session took the edges "any-to-disconnected, disconnected-to-round"

    Examples:
      | when                                                |
      | before the insert of round 1                        |
      | before the arming of round 1                        |
      | after the submit of round 1                         |
      | before the proof of round 1                         |
      | after the first look at a streaming answer of round 1 |
      | before the record of the end of round 1             |
      | before the capture of round 1                       |
      | after the submit of round 2                         |

  @field-D01 @field-B30
  Scenario: A thirty-minute answer with a disconnect near its end is captured whole
    Given the site answers at "typical" pace
    And round 1 thinks for "28m" and writes for "2m"
    And round 2 is answered with "done"
    And "sever" strikes after the first look at a streaming answer of round 1
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the agent executed word for word what the site wrote
    And every message reached the site exactly once

  Scenario: The socket cut while the agent works leaves the agent alone
    Given round 1 is answered with "continue"
    And the agent takes "5m" in round 1
    And round 2 is answered with "done"
    And "sever" strikes after the hand-over to the agent of round 1
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the agent was asked to start round 1 exactly once
    And every message reached the site exactly once

  Scenario Outline: The send-ambiguity triple: a submit lost <how> is sent exactly once
    Given round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "sever" strikes <how> the submit of round 1
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And every message reached the site exactly once
    And the site received exactly 2 "ROUND" messages

    Examples:
      | how     |
      | before  |
      | after   |
      | late at |

  Scenario: Near miss: silence proves nothing and is not a closed socket
    Given round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "half-open" strikes before the guard of round 1
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And every message reached the site exactly once

  Scenario: Near miss: the line is cut and the document was replaced: row 4
    Given the site answers at "typical" pace
    And round 1 thinks for "20s" and writes for "3m"
    And round 2 is answered with "done"
    And "sever" strikes before the first look at a streaming answer of round 1
    And "reload" strikes before the first look at a streaming answer of round 1
    When the bridge relays the request
    Then the session ends as "done"
    And the bridge recovered by row 4
    And every message reached the site exactly once
