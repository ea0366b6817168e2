Feature: Field bugs: the answer of an older turn
  Ids are compared, never counts: the answer is the one that follows our own turn.

  # The page mounts a window of turns only: their number did not grow, so "nothing was sent".
  @field-B25
  Scenario Outline: Only <window> turns are mounted, and the answer to the click is lost
    Given the site answers at "typical" pace
    And the site has the switch "Window" set to "<window>"
    And 4 rounds are answered with "continue"
    And round 5 is answered with "done"
    And "sever" strikes after the submit of round 4
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And every message reached the site exactly once
    And the agent executed the rounds "1, 2, 3, 4"

    Examples:
      | window |
      | 2      |
      | 3      |
      | 6      |
      | -1     |

  # The new user turn stood there, the new answer did not yet: the one before was taken.
  @field-B26
  Scenario Outline: The old answer stands with its bar while the new one is not there: "<switch>"
    Given the site answers at "typical" pace
    And the site has the switch "<switch>"
    And round 1 is answered with "continue"
    And round 2 thinks for "5m" and writes for "5s"
    And round 3 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And the agent executed the rounds "1, 2"
    And the agent executed word for word what the site wrote

    Examples:
      | switch |
      | NoStop |
      | NoBar  |

  # Several messages inside one turn moved the index, and it pointed at another turn.
  @field-B27
  Scenario: Old answers hold several message nodes
    Given the site answers at "typical" pace
    And the site has the switch "Nested"
    And 3 rounds are answered with "continue"
    And round 4 is answered with "done"
    And "sever" strikes after the submit of round 3
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And every message reached the site exactly once
    And the agent executed the rounds "1, 2, 3"
    And the agent executed word for word what the site wrote

  # The window was still filling up when the baseline was read: old turns looked new.
  @field-B29
  Scenario: Turns mount one by one after the composer
    Given the site answers at "typical" pace
    And the site has the switch "MountSlow"
    And 2 rounds are answered with "continue"
    And round 3 is answered with "done"
    And "reload" strikes before the insert of round 2
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And every message reached the site exactly once
    And the agent executed word for word what the site wrote
