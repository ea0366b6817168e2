Feature: Field bugs: the tab was lost
  What died is found out, not guessed: socket, session, tab and browser are different losses with
  different ways back.

  # The socket of the page dropped near the end; "Chrome window closed", the finished answer unread.
  @field-B30 @field-D01
  Scenario Outline: "<fault>" at the end of a long answer
    Given the site answers at "typical" pace
    And round 1 thinks for "14m" and writes for "6m"
    And round 2 is answered with "done"
    And "<fault>" strikes <when>
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And every message reached the site exactly once
    And the agent executed word for word what the site wrote
    And the browser was given exactly 1 "Target.createTarget" command

    Examples:
      | fault     | when                                                  |
      | sever     | after the first look at a streaming answer of round 1 |
      | detach    | after the first look at a streaming answer of round 1 |
      | half-open | after the first look at a streaming answer of round 1 |
      | sever     | before the first look at a finished answer of round 1 |

  # A redirect to the login host and back ended the run with a raw error of the protocol.
  @field-B31
  Scenario Outline: The tab goes elsewhere <when>
    Given the site answers at "typical" pace
    And round 1 thinks for "20s" and writes for "3m"
    And round 2 is answered with "done"
    And "navigate-away" strikes <when>
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the bridge recovered by row 5
    And every message reached the site exactly once
    And the agent executed the rounds "1"

    Examples:
      | when                                                   |
      | before the first look at a streaming answer of round 1 |
      | before the insert of round 2                           |

  @field-B31
  Scenario: The site logs out in the middle of the answer
    Given the site answers at "typical" pace
    And round 1 thinks for "2m"
    And "logout" strikes before the first look at a thinking answer of round 1
    When the bridge relays the request
    Then the session ends as "blocker" by row 12
    And every fault struck
    And the site received exactly 1 "ROUND" message
    And the agent executed nothing

  # After the message was taken every evaluate hung, then the session was gone: it was sent again.
  @field-B32
  Scenario Outline: After an accepted send "<first>", then "<then>"
    Given the site answers at "typical" pace
    And round 1 thinks for "30m" and writes for "3m"
    And round 2 is answered with "done"
    And "<first>" strikes after the submit of round 1
    And "<then>" strikes after the first look at a thinking answer of round 1
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And every message reached the site exactly once
    And the agent executed word for word what the site wrote

    Examples:
      | first     | then   |
      | half-open | detach |
      | stall     | detach |
      | stall     | sever  |

  # The renderer crashed without a word to the waiting call: it waited for ever.
  @field-B34 @field-D16 @field-D47 @field-D91
  Scenario Outline: The renderer crashes <when>
    Given the site answers at "typical" pace
    And round 1 thinks for "20s" and writes for "3m"
    And round 2 is answered with "done"
    And "crash-tab" strikes <when>
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the bridge recovered by row 4
    And every message reached the site exactly once
    And the agent executed word for word what the site wrote
    And the run took at most "3h"

    Examples:
      | when                                                   |
      | before the insert of round 1                           |
      | after the first look at a streaming answer of round 1  |
      | before the first look at a streaming answer of round 1 |
      | before the capture of round 1                          |
      | before the insert of round 2                           |
