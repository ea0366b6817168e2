Feature: pi restarts during the handshake
  HELLO is sent once per conversation, whatever happens to the process that sent it. What was decided
  about its answer is decided again in the same way.

  @row-06
  Scenario Outline: killed <when> while the first acknowledgement names another version
    Given the acknowledgement deviates once by "ack-hv"
    And round 1 is answered with "done"
    And "kill-pi" strikes <when> of round 0
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And every message reached the site exactly once
    And the site received exactly 1 "HELLO" message
    And the site received exactly 1 "RESYNC" message

    Examples:
      | when                               |
      | before the write of conversation   |
      | after the write of conversation    |
      | before the write of sent           |
      | after the write of sent            |
      | before the write of refused        |
      | after the write of refused         |
      | before the write of version-lost   |
      | after the write of version-lost    |

  @row-13
  Scenario: A RESYNC that was refused stays refused for the next process
    Given the acknowledgement deviates by "ack-hv"
    And "kill-pi" strikes before the write of stopped of round 0
    When the bridge relays the request
    Then the session ends as "manual" by row 13
    And every message reached the site exactly once

  @edge-repair-to-resync
  Scenario: Context that was lost stays lost for the next process
    Given round 1 is answered first with "plan-forgot"
    And round 1 is answered then with "plan-forgot"
    And round 2 is answered with "done"
    And "kill-pi" strikes after the first look at a finished answer of round 1
    When the bridge relays the request
    Then the session ends as "done"
    And every message reached the site exactly once
