Feature: Field bugs: the line to the browser
  Every way in which a connection ends has a name, a bounded time in which it is noticed, and one way
  back. Nothing is cached across it, nothing is repeated because of it.

  Scenario Outline: The connection ends by "<how>" <when>
    Given the site answers at "typical" pace
    And round 1 thinks for "20s" and writes for "3m"
    And round 2 is answered with "done"
    And "sever" with "<how>" strikes <when>
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the bridge recovered by row 3
    And every message reached the site exactly once
    And the agent executed word for word what the site wrote
    And the run took at most "3h"

    # A reset without a closing handshake ended the handler for good.
    @field-D06 @field-D44
    Examples: Reset
      | how     | when                                                  |
      | how=rst | after the first look at a streaming answer of round 1 |
      | how=rst | before the reading of the page of round 1             |

    # The end of the stream without a close frame was an unknown error text: no way back was known.
    @field-D24
    Examples: The end of the stream
      | how     | when                                                  |
      | how=fin | after the first look at a streaming answer of round 1 |
      | how=fin | before the capture of round 1                         |

    # A proxy was restarted, a service ended the session: the dead connection stayed in use.
    @field-D13 @field-D18
    Examples: A close frame
      | how                 | when                                                  |
      | how=close code=1001 | after the first look at a streaming answer of round 1 |
      | how=close code=1011 | before the insert of round 2                          |
      | how=close code=1009 | before the insert of round 1                          |

  # A frame that is no JSON: nobody knew who had closed the connection, and why.
  @field-D19
  Scenario: An answer is not JSON
    Given the site answers at "typical" pace
    And round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "corrupt" strikes after the reading of the page of round 1
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the bridge recovered by row 3
    And every message reached the site exactly once

  # A connection that was silent for a day, a host that slept: noticed at the next command, or never.
  @field-D09 @field-D12 @field-D36
  Scenario Outline: Nothing comes any more and the socket stays open, <when>
    Given the site answers at "typical" pace
    And round 1 thinks for "20s" and writes for "3m"
    And the agent takes "20m" in round 1
    And round 2 is answered with "done"
    And "half-open" strikes <when>
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the agent was asked to start round 1 exactly once
    And every message reached the site exactly once
    And the run took at most "3h"

    Examples:
      | when                                                   |
      | before the first look at a streaming answer of round 1 |
      | before the reading of the page of round 1              |
      | before the baseline of round 1                         |
      | before the check of the guard of round 2               |

  # The endpoint was closed between two jobs, and the next job met a dead handle.
  @field-D15
  Scenario: The connection ends while only the agent works
    Given the site answers at "typical" pace
    And round 1 is answered with "continue"
    And the agent takes "20m" in round 1
    And round 2 is answered with "done"
    And "sever" strikes before the hand-over to the agent of round 1
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the agent was asked to start round 1 exactly once
    And every message reached the site exactly once

  # The connection was cut, and closing it never came to an end.
  @field-D11
  Scenario Outline: "<fault>" while pi is leaving
    Given the site answers at "typical" pace
    And round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "<fault>" strikes before the closing of the tab of round 2
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the session is closed by round 2
    And the run took at most "3h"

    Examples:
      | fault          |
      | sever          |
      | half-open      |
      | kill-browser   |
      | freeze-browser |

  # Chrome was closed in the middle of a call, and the call hung for ever.
  @field-D05 @field-D26
  Scenario Outline: The browser is gone for good <when>: a clear end in bounded time
    Given the site answers at "typical" pace
    And round 1 thinks for "20s" and writes for "3m"
    And round 2 is answered with "done"
    And "<fault>" strikes <when>
    When the bridge relays the request
    Then the session ends as "manual" by row 13
    And every fault struck
    And every message reached the site exactly once
    And the run took at most "3h"

    Examples:
      | fault          | when                                                   |
      | kill-browser   | after the submit of round 1                            |
      | kill-browser   | before the insert of round 1                           |
      | freeze-browser | before the first look at a streaming answer of round 1 |

  # The browser was started again, and everything that was kept from the old one stayed in use.
  @field-D06 @field-D17 @field-D38 @field-D39 @field-D93
  Scenario Outline: The browser is started again after <time>, killed <when>
    Given the site answers at "typical" pace
    And round 1 thinks for "20s" and writes for "3m"
    And round 2 is answered with "done"
    And "relaunch" for "<time>" strikes <when>
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the bridge recovered by row 5
    And every message reached the site exactly once
    And the site saw one sid
    And the agent executed word for word what the site wrote

    Examples:
      | time | when                                                   |
      | 1s   | before the first look at a streaming answer of round 1 |
      | 10s  | before the insert of round 2                           |
      | 30s  | before the capture of round 1                          |
      | 5m   | before the first look at a streaming answer of round 1 |

  # The first dials failed while the browser came up; the program gave up at the first. A real browser
  # takes longer to come up than the scenario says; a bridge that dials without a pause needs hundreds.
  @field-D22
  Scenario: Three dials fail, the fourth succeeds
    Given the site answers at "typical" pace
    And round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "relaunch" for "8s" strikes before the check of the guard of round 2
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the bridge recovered by row 5
    And every message reached the site exactly once
    And the browser was given at most 20 "dial" commands

  # The error of a void session has no session id in it: the call that it belongs to waited for ever.
  @field-D20 @field-D90
  Scenario Outline: A void session answers <when>
    Given the site answers at "typical" pace
    And round 1 thinks for "20s" and writes for "3m"
    And round 2 is answered with "done"
    And "cdp-error" with code "-32001" strikes <when>
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the bridge recovered by row 3
    And every message reached the site exactly once
    And the run took at most "3h"

    Examples:
      | when                                                   |
      | before the first look at a streaming answer of round 1 |
      | before the attach of round 0                           |
      | after the submit of round 1                            |
      | before the insert of round 2                           |

  # The browser detached the session and the tab was there as before: "the tab is lost".
  @field-D40 @field-D92
  Scenario Outline: The session is detached <when>, the tab lives
    Given the site answers at "typical" pace
    And round 1 thinks for "20s" and writes for "3m"
    And round 2 is answered with "done"
    And "detach" strikes <when>
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the bridge recovered by row 3
    And every message reached the site exactly once
    And the browser was given exactly 1 "Target.createTarget" command

    Examples:
      | when                                                   |
      | before the insert of round 1                           |
      | after the submit of round 1                            |
      | before the first look at a streaming answer of round 1 |
      | before the reading of the page of round 1              |

  # A dialog held every command of the tab, also after the time was over.
  @field-D32
  Scenario Outline: A dialog opens <when>
    Given the site answers at "typical" pace
    And round 1 thinks for "20s" and writes for "3m"
    And round 2 is answered with "done"
    And "dialog" strikes <when>
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And every message reached the site exactly once
    And the run took at most "3h"

    Examples:
      | when                                                   |
      | before the first look at a streaming answer of round 1 |
      | before the reading of the page of round 1              |
      | before the check of the guard of round 2               |

  # A reload of a looping tab reported success, and the tab stayed dead.
  @field-D95 @field-D96
  Scenario Outline: An endless loop runs in the tab, and "<fault>" takes the old connection away
    Given the site answers at "typical" pace
    And round 1 thinks for "20s" and writes for "3m"
    And round 2 is answered with "done"
    And "wedge-tab" strikes before the first look at a streaming answer of round 1
    And "<fault>" strikes before the mending of round 1
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And every message reached the site exactly once
    And the agent executed word for word what the site wrote

    Examples:
      | fault   |
      | sever   |
      | kill-pi |

  # A large answer was dropped without a word; the reader waited, or took the next one for it.
  @field-D97
  Scenario Outline: One answer is missing, nothing else is: <when>
    Given the site answers at "typical" pace
    And round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "drop" strikes <when>
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And every message reached the site exactly once
    And the agent executed word for word what the site wrote

    Examples:
      | when                                      |
      | after the capture of round 1              |
      | after the reading of the page of round 1  |
      | after the record of the end of round 1    |
      | before the baseline of round 1            |

  # Answers came twice, events came in another order: a count was wrong from then on.
  @field-D20
  Scenario Outline: "<fault>" <when>
    Given the site answers at "typical" pace
    And round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "<fault>" strikes <when>
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And every message reached the site exactly once
    And the agent executed the rounds "1"

    Examples:
      | fault     | when                                     |
      | duplicate | after the submit of round 1              |
      | duplicate | after the proof of round 1               |
      | reorder   | after the submit of round 1              |
      | reorder   | after the proof of round 1               |
      | delay     | after the proof of round 1               |
      | stall     | before the reading of the page of round 1 |
