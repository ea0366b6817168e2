Feature: Field bugs: the wrong tab, the wrong chat
  The conversation's id is looked at on every read and before every act. In a tab that shows another
  chat nothing is typed.

  # The tab had moved to another chat with a finished answer: that one was taken.
  @field-B50
  Scenario Outline: A person opens another chat in the tab <when>
    Given the site answers at "typical" pace
    And round 1 thinks for "20s" and writes for "3m"
    And round 2 is answered with "done"
    And "switch-conversation" strikes <when>
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And every message reached the site exactly once
    And the agent executed the rounds "1"
    And the agent executed word for word what the site wrote

    Examples:
      | when                                                   |
      | before the first look at a streaming answer of round 1 |
      | before the capture of round 1                          |
      | before the check of the guard of round 2               |
      | before the insert of round 2                           |

  # The same between the last look and the click: the text went into the chat that the person opened.
  # Document, fence and composer stay when a chat is opened, so the token is good for one chat only; and
  # the document that is left proves that nothing went out.
  @field-B50
  Scenario Outline: A person opens another chat at <place>, with our text in the composer
    Given round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "switch-conversation" strikes at "<place>"
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the bridge recovered by row 5
    And every message reached the site exactly once
    And the agent executed the rounds "1"
    And the agent executed word for word what the site wrote

    Examples: before the last look at the guard, and behind it
      | place                   |
      | send.baseline@1#2/after |
      | send.fence@1#2/after    |
      | send.guard@1#1/before   |
      | send.guard@1#1/after    |
      | send.submit@1#1/before  |
      | send.submit@1#1/after   |
      | send.submit@1#2/before  |
      | send.guard@2#1/after    |

  # Before the site has given an address an empty page proves nothing: it may be the chat of the HELLO, or
  # a new one. What cannot be found again is left to a person.
  @field-B50
  Scenario Outline: A person opens a new chat at <place>, before the first one has an address
    Given the site answers at "typical" pace
    And round 1 is answered with "done"
    And "switch-conversation" strikes at "<place>"
    When the bridge relays the request
    Then the session ends as "manual" by row 13
    And every fault struck
    And the site received exactly 1 message
    And the run took at most "3h"

    Examples:
      | place                        |
      | wait.poll@0:thinking#1/after |

  # Two programs used one tab: what one typed went out with the message of the other.
  @field-B51 @field-D29
  Scenario Outline: Another client attaches to the tab and types <when>
    Given the site answers at "typical" pace
    And round 1 thinks for "20s" and writes for "3m"
    And round 2 is answered with "done"
    And "second-client" with "text='typed by somebody else'" strikes <when>
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And every message reached the site exactly once
    And the agent executed the rounds "1"

    Examples:
      | when                                                   |
      | before the focus of round 1                            |
      | before the read-back of round 1                        |
      | before the first look at a streaming answer of round 1 |

  # Whatever was posted last was taken for the message of the bridge.
  @field-B51
  Scenario: What a person sends in the tab behind our message is not taken for it
    Given round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "second-client" with "how=send text='and what about lunch?'" strikes at "send.submit@1#2/after"
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And no verdict was needed
    And every message reached the site exactly once
    And the agent executed the rounds "1"
    And the agent executed word for word what the site wrote

  @field-B51 @field-D29
  Scenario: Another client attaches to the tab and only looks
    Given the site answers at "typical" pace
    And round 1 thinks for "20s" and writes for "3m"
    And round 2 is answered with "done"
    And "second-client" strikes before the first look at a streaming answer of round 1
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And no verdict was needed

  # The new page was slow, the composer of the old one still stood there: it was typed into that.
  @field-B53
  Scenario Outline: The conversation is opened again and its page takes <time> to stand
    Given the site answers at "typical" pace
    And the site has the switch "FallbackFor" set to "<time>"
    And the site has the switch "MountSlow"
    And round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "close-tab" strikes before the check of the guard of round 2
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And every message reached the site exactly once
    And the agent executed the rounds "1"

    Examples:
      | time |
      | 10s  |
      | 40s  |

  # One of two tabs was closed, and even the list of the tabs failed from then on.
  @field-D30
  Scenario: Tab after tab is closed
    Given the site answers at "typical" pace
    And round 1 thinks for "20s" and writes for "3m"
    And round 2 is answered with "done"
    And "close-tab" strikes before the first look at a streaming answer of round 1
    And "close-tab" strikes before the check of the guard of round 2
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And every message reached the site exactly once
    And the agent executed the rounds "1"
