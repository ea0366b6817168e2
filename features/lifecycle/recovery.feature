Feature: The life of a session that was disturbed
  From disconnected there are two ways: back to the state that the loss struck, when pi remembers, or
  RESUME at the last confirmed checkpoint, when it does not. What cannot be recovered ends in a named
  state, and a person is told which.

  @edge-disconnected-to-round
  Scenario: disconnected → round: with memory nothing is said, the same turn is looked for
    Given the site answers at "typical" pace
    And round 1 thinks for "20s" and writes for "3m"
    And round 2 is answered with "done"
    And "detach" strikes after the first look at a streaming answer of round 1
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the session took the edge "disconnected-to-round" from "disconnected"
    And the site received exactly 0 "RESUME" messages
    And the site received exactly 0 "RESYNC" messages
    And every message reached the site exactly once

  @edge-disconnected-to-resume @edge-resume-to-round
  Scenario: disconnected → resume → round: without memory RESUME says where pi stands, once
    Given the site answers at "typical" pace
    And 2 rounds are answered with "continue"
    And round 3 is answered with "done"
    And "kill-pi" strikes before the insert of round 3
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the session took the edge "disconnected-to-resume" from "disconnected"
    And the session took the edge "resume-to-round" from "resume"
    And the site received these messages:
      | message | round | p |
      | HELLO   |       |   |
      | ROUND   | 1     | - |
      | ROUND   | 2     | 1 |
      | RESUME  |       |   |
      | ROUND   | 3     | 2 |
    And the agent executed the rounds "1, 2"

  @edge-resume-to-resync @edge-resync-to-established
  Scenario Outline: resume → resync → established: an acknowledgement of RESUME that is "<wrong>"
    Given round 1 is answered with "continue"
    And round 2 is answered with "done"
    And the acknowledgement of RESUME deviates by "<wrong>"
    And "kill-pi" strikes after the write of checkpoint of round 1
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the session took the edge "resume-to-resync" from "resume"
    And the session took the edge "resync-to-established" from "resync"
    And the site received exactly 1 "RESUME" message
    And the site received exactly 1 "RESYNC" message
    And the RESYNC repeats the HELLO word for word
    And the agent executed the rounds "1"

    @gate-ck
    Examples: Its CK is another one, or missing
      | wrong        |
      | resume-ck    |
      | resume-no-ck |

    @gate-next
    Examples: Its NEXT is another one, or missing
      | wrong          |
      | resume-next    |
      | resume-no-next |

    Examples: It is none at all
      | wrong          |
      | resume-refuses |
      | resume-plan    |

  @edge-uncertain-to-checkpoint-to-resume @edge-resume-to-round
  Scenario: uncertain → checkpoint → resume: a turn that broke off is never asked again
    Given the site answers at "typical" pace
    And round 1 is answered with "continue"
    And round 2 thinks for "20s" and writes for "3m"
    And round 3 is answered with "continue"
    And round 4 is answered with "done"
    And "cut-stream" strikes before the first look at a streaming answer of round 2
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the session took the edge "uncertain-to-checkpoint-to-resume" from "uncertain"
    And the site received these messages:
      | message | round | p |
      | HELLO   |       |   |
      | ROUND   | 1     | - |
      | ROUND   | 2     | 1 |
      | RESUME  |       |   |
      | ROUND   | 3     | 1 |
      | ROUND   | 4     | 3 |
    And the agent executed the rounds "1, 3"

  @edge-version-lost-to-resync @edge-resync-to-established
  Scenario: version-lost → resync → established: what pi is now is declared before the next ROUND
    Given round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "change-caps" to "file.read" strikes after the write of checkpoint of round 1
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the session took the edge "version-lost-to-resync" from "version-lost"
    And the session took the edge "resync-to-established" from "resync"
    And the agent executed the rounds "1"

  @row-09 @edge-resync-to-established
  Scenario Outline: version-lost → resync → established, and pi dies on the way (<when>)
    # RESYNC is said once. The next process declares the same: it finds out what became of the message and
    # waits for its acknowledgement; only one that is proven not sent goes out again.
    Given the site answers at "typical" pace
    And round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "change-caps" to "file.read" strikes after the write of checkpoint of round 1
    And "kill-pi" strikes at "<when>"
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the session took the edge "version-lost-to-resync" from "version-lost"
    And the session took the edge "resync-to-established" from "resync"
    And the site received exactly 1 "RESYNC" message
    And every message reached the site exactly once
    And the agent executed the rounds "1"

    Examples:
      | when                                |
      | store.append@1:version-lost#1/after |
      | store.append@1:intent#2/after       |
      | send.submit@1#4/before              |
      | send.submit@1#4/after               |
      | send.submit@1#4/late                |
      | store.append@1:sent#2/after         |
      | wait.poll@1:finished#2/before       |
      | store.append@1:ack#1/before         |
      | store.append@1:ack#1/after          |

  @edge-any-to-manual
  Scenario Outline: any → manual from "<state>": a person is told, nothing more is sent
    Given the site answers at "typical" pace
    And the acknowledgement thinks for "5s" and writes for "40s"
    And round 1 is answered with "continue" that runs "npm test"
    And round 2 is answered with "done"
    And "<fault>" strikes <when>
    When the bridge relays the request
    Then the session ends as "manual"
    And every fault struck
    And the session took the edge "any-to-manual" from "<state>"
    And every message reached the site exactly once
    And the site received at most 2 "ROUND" messages

    Examples:
      | state        | fault        | when                                                   |
      | disconnected | kill-browser | before the first look at a streaming answer of round 0 |
      | disconnected | kill-browser | before the insert of round 1                           |
      | round        | never-answers | before the submit of round 1                          |
      | round        | drop-message | before the submit of round 2                           |
      | executing    | agent-dies   | after the hand-over to the agent of round 1            |

  @edge-any-to-stopped
  Scenario Outline: any → stopped from "<state>": "<fault>" is a blocker
    Given the site answers at "typical" pace
    And round 1 thinks for "20s" and writes for "3m"
    And round 2 is answered with "done"
    And "<fault>" strikes <when>
    When the bridge relays the request
    Then the session ends as "blocker" by row 12
    And every fault struck
    And the session took the edge "any-to-stopped" from "<state>"
    And the site received at most 1 "ROUND" message

    Examples:
      | state | fault      | when                                                  |
      | new   | captcha    | before the check of the guard of round 0              |
      | round | rate-limit | before the first look at a thinking answer of round 1 |

    # A real page hears of a blocker some moments after it came; which of these states it meets there is a
    # matter of chance.
    @virtual-only
    Examples: States that last a moment only
      | state       | fault         | when                                                   |
      | hello-sent  | logout        | before the first look at a streaming answer of round 0 |
      | established | account-block | before the check of the guard of round 1               |
      | settled     | usage-cap     | before the check of the guard of round 2               |

  @edge-any-to-stopped @row-14
  Scenario Outline: any → stopped from "<state>": <limit> is a boundary
    Given the site answers at "typical" pace
    And <limit>
    And round 1 is answered with "continue"
    And round 2 thinks for "20m"
    And round 3 is answered with "done"
    When the bridge relays the request
    Then the session ends as "boundary" by row 14
    And the session took the edge "any-to-stopped" from "<state>"
    And the checkpoint is round 1
    And the agent executed the rounds "1"

    Examples:
      | state   | limit                    |
      | settled | at most 1 round          |
      | round   | at most "10m" in all     |
      | round   | at most "5m" for each round |

  @edge-any-to-thrown @row-15
  Scenario Outline: any → thrown from "<state>": a command that the browser refuses is our bug
    Given the site answers at "typical" pace
    And round 1 thinks for "20s" and writes for "3m"
    And round 2 is answered with "done"
    And "cdp-error" with code "<code>" strikes <when>
    When the bridge relays the request
    Then the session ends as "thrown" by row 15
    And every fault struck
    And the session took the edge "any-to-thrown" from "<state>"
    And the site received at most 1 "ROUND" message
    And every message reached the site exactly once

    Examples:
      | state       | code   | when                                                   |
      | new         | -32602 | before the insert of round 0                           |
      | hello-sent  | -32601 | before the first look at the answer of round 0         |
      | established | -32602 | before the insert of round 1                           |
      | round       | -32603 | before the first look at a streaming answer of round 1 |
      | settled     | -32601 | before the insert of round 2                           |
