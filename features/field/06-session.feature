Feature: Field bugs: the conversation was lost
  The conversation is the id that the server gave. What was never given one cannot be found again,
  and nobody makes a second one in its place.

  # The first address of a new chat was the client's own, and it was kept for good.
  @field-B36
  Scenario Outline: The address is the client's own first, and "<fault>" strikes meanwhile
    Given the site answers at "typical" pace
    And the site has the switch "Transient"
    And round 1 thinks for "20s" and writes for "3m"
    And round 2 is answered with "done"
    And "<fault>" strikes <when>
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And every message reached the site exactly once
    And the agent executed the rounds "1"

    Examples:
      | fault   | when                                                   |
      | sever   | after the submit of round 0                            |
      | kill-pi | after the submit of round 0                            |
      | sever   | before the first look at a streaming answer of round 1 |
      | reload  | before the insert of round 1                           |

  # Only the root address was stored; after the restart an old tab with another chat was taken.
  @field-B37 @field-D03
  Scenario Outline: The address comes late, and pi is killed <when>
    Given the site answers at "typical" pace
    And the acknowledgement thinks for "20s" and writes for "2m"
    And the site has the switch "NoAddress"
    And round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "kill-pi" strikes <when>
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the site saw one sid
    And every message reached the site exactly once
    And the browser was given exactly 1 "Target.createTarget" command

    Examples:
      | when                                                   |
      | after the submit of round 0                            |
      | after the write of sent of round 0                     |
      | before the first look at a streaming answer of round 0 |
      | before the insert of round 1                           |

  # A chat without an address was closed, and the message sent again into a new one.
  @field-B41
  Scenario Outline: A conversation without an address: "<fault>" <when>
    Given the site answers at "typical" pace
    And the acknowledgement thinks for "20s" and writes for "2m"
    And the site has the switch "NoAddress"
    And round 1 is answered with "done"
    And "<fault>" strikes <when>
    When the bridge relays the request
    Then the session ends as "manual"
    And every fault struck
    And the site received exactly 1 message
    And the site saw one sid

    Examples:
      | fault     | when                                                  |
      | close-tab | before the first look at the answer of round 0        |
      | relaunch  | before the first look at the answer of round 0        |
      | close-tab | after the first look at a streaming answer of round 0 |

  # Copied cookies logged the person out; the next page was the login, and the bridge went on.
  @field-B40 @field-B45
  Scenario Outline: The login is gone at the restart of "<fault>"
    Given the site answers at "typical" pace
    And round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "logout" strikes before the record of the end of round 1
    And "<fault>" strikes after the record of the end of round 1
    When the bridge relays the request
    Then the session ends as "blocker" by row 12
    And the site received exactly 1 "ROUND" message
    And the agent executed nothing

    Examples:
      | fault    |
      | relaunch |
      | kill-pi  |
