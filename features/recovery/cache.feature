Feature: The states of the local cache
  The journal is the local cache of the session. Each state that it can be found in takes its own way:
  memory outranks the cache, the cache outranks the history, and what cannot be trusted is not used.

  @row-06
  Scenario Outline: A torn tail: the act behind that write never began (<record>)
    # What the half-written line announced had not been done when pi died: the rest of the journal is
    # whole, and row 6 takes it up there.
    Given the site answers at "typical" pace
    And round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "tear-cache" strikes before the write of <record> of round <round>
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the bridge recovered by row 6
    And pi says why: its last record was cut short
    And every message reached the site exactly once
    And the site saw one sid
    And the agent executed the rounds "1"

    Examples:
      | record     | round |
      | ack        | 0     |
      | intent     | 1     |
      | sent       | 1     |
      | validated  | 1     |
      | executing  | 1     |
      | settled    | 1     |
      | checkpoint | 1     |
      | intent     | 2     |

  @row-07
  Scenario Outline: A stale copy that lacks <back> records: the history extends it
    # An old copy came back. The record proves more rounds than it names, by valid links: row 7 with the
    # longer chain, and what the agent's ledger says.
    Given the site answers at "typical" pace
    And 2 rounds are answered with "continue"
    And round 3 is answered with "done"
    And "stale-cache" with "back=<back>" strikes after the write of <record> of round 2
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the bridge recovered by row 7
    And pi says why: the record proves more than the journal
    And every message reached the site exactly once
    And the site saw one sid
    And the agent executed the rounds "1, 2"

    Examples:
      | back | record     |
      | 2    | sent       |
      | 6    | checkpoint |

  @row-06
  Scenario: Near miss: a stale copy that lacks nothing of the conversation is row 6
    # The record proves no round that the copy does not name.
    Given round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "stale-cache" with "back=1" strikes after the write of sent of round 1
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the bridge recovered by row 6
    And every message reached the site exactly once

  @row-10
  Scenario Outline: It names turns that a complete history lacks: "<fault>"
    # Both are whole, and they contradict each other: nobody can tell which one counts.
    Given round 1 is answered with "continue"
    And round 2 is answered with "continue"
    And round 3 is answered with "done"
    And "kill-pi" strikes after the write of checkpoint of round 2
    And "<fault>" strikes before the reading of the history of round 2
    When the bridge relays the request
    Then the session ends as "manual" by row 10
    And every fault struck
    And pi says why: FRAME chain conflict
    And every message reached the site exactly once
    And the agent executed the rounds "1, 2"

    Examples:
      | fault            |
      | truncate-history |
      | missing-turn     |

  @row-07
  Scenario Outline: A damaged journal counts as lost (<when>)
    # Nothing of it is believed: it is put aside, and the conversation's history decides.
    Given the site answers at "typical" pace
    And round 1 is answered with "continue"
    And round 2 thinks for "20s" and writes for "3m"
    And round 3 is answered with "done"
    And "corrupt-cache" strikes <when>
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the bridge recovered by row 7
    And pi says why: damaged, counts as lost
    And every message reached the site exactly once
    And the site saw one sid
    And the agent executed the rounds "1, 2"

    Examples:
      | when                                                   |
      | after the write of checkpoint of round 1               |
      | before the first look at a streaming answer of round 2 |
      | after the hand-over to the agent of round 2            |

  Scenario: A newer format: stop
    # A newer program wrote it; an older one does not know what it says, and changes nothing.
    Given round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "newer-cache" strikes after the write of checkpoint of round 1
    When the bridge relays the request
    Then pi refuses to begin: the journal has a newer format

  @row-10
  Scenario Outline: The journal of another session: refused (<when>)
    # It is whole and its chain would hold, but the record is that of another sid: not even the plan that
    # it names is looked for.
    Given round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "foreign-cache" strikes <when>
    When the bridge relays the request
    Then the session ends as "manual" by row 10
    And every fault struck
    And pi says why: sid clash
    And every message reached the site exactly once
    And the site saw one sid

    Examples:
      | when                                     |
      | after the write of sent of round 1       |
      | after the write of checkpoint of round 1 |

  Scenario: The journal of another request: refused
    # One sid serves one request: what was begun with another is not gone on with.
    Given round 1 is answered with "continue"
    And round 2 is answered with "done"
    And pi comes back with the request "something else altogether"
    And "kill-pi" strikes after the write of checkpoint of round 1
    When the bridge relays the request
    Then pi refuses to begin: the session was begun with another request

  @row-07
  Scenario Outline: Lost, and a person names the conversation (<fault> meanwhile)
    # Without a cache the conversation is the one that --conversation names, open or not.
    Given the site answers at "typical" pace
    And round 1 is answered with "continue"
    And round 2 thinks for "20s" and writes for "3m"
    And round 3 is answered with "done"
    And pi comes back with the conversation's address
    And "<fault>" strikes before the first look at a streaming answer of round 2
    And "lose-cache" strikes before the first look at a streaming answer of round 2
    When the bridge relays the request
    Then the session ends as "done"
    And the bridge recovered by row 7
    And pi says why: the one that was named
    And every message reached the site exactly once
    And the site saw one sid
    And the agent executed the rounds "1, 2"

    Examples:
      | fault     |
      | close-tab |
      | reload    |

  @row-07
  Scenario: Lost, and one open tab holds our HELLO
    # Without a name it is the one open tab whose record has a HELLO with our request's id.
    Given the site answers at "typical" pace
    And round 1 is answered with "continue"
    And round 2 thinks for "20s" and writes for "3m"
    And round 3 is answered with "done"
    And "lose-cache" strikes before the first look at a streaming answer of round 2
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the bridge recovered by row 7
    And pi says why: the one open tab with a HELLO for this request
    And every message reached the site exactly once
    And the site saw one sid

  Scenario Outline: Lost, and pi dies again while it writes a new one (<when>)
    # The new journal is one durable write: half of it would tell the next process that nothing was said
    # yet, and HELLO would be said twice.
    Given the site answers at "typical" pace
    And round 1 is answered with "continue"
    And round 2 thinks for "20s" and writes for "3m"
    And round 3 is answered with "done"
    And "lose-cache" strikes before the first look at a streaming answer of round 2
    And "<fault>" strikes <when>
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the bridge recovered by row <row>
    And every message reached the site exactly once
    And the site saw one sid
    And the agent executed the rounds "1, 2"

    @row-07
    Examples: Nothing of it is there
      | fault      | when                                    | row |
      | kill-pi    | before the write of snapshot of round 2 | 7   |
      | tear-cache | after the write of snapshot of round 2  | 7   |

    @row-06
    Examples: From here on it is a journal like any other
      | fault   | when                                   | row |
      | kill-pi | after the write of snapshot of round 2 | 6   |
      | kill-pi | before the write of budget of round 2  | 6   |

  Scenario Outline: Lost before anything led back: a session begins (<when>)
    # Nothing of ours stands in any record, or no tab is left that shows it: there is nothing to go on with.
    Given the site answers at "typical" pace
    And round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "lose-cache" strikes <when>
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And pi says why: nothing leads back
    And the agent executed the rounds "1"

    Examples:
      | when                                 |
      | before the insert of round 0         |
      | after the write of intent of round 0 |

  # On a real browser the address of the first chat comes a moment after its message, at no place that a
  # schedule could name before it.
  @virtual-only @row-07
  Scenario: Lost before the conversation has an address: pi waits for it, and begins no second one
    # The open tab shows a HELLO and no address. Which request it serves the record tells, once it has one.
    Given the site answers at "typical" pace
    And round 1 thinks for "20s" and writes for "3m"
    And round 2 is answered with "done"
    And "lose-cache" strikes after the submit of round 0
    And "lose-cache" strikes before the first look at a streaming answer of round 1
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the site received exactly 1 "HELLO" message
    And the agent executed the rounds "1"

  @row-03
  Scenario: Removed while pi runs: memory outranks it, and it is written anew
    # sid, round and in-flight state are in memory: the row is that of the line, and the next process
    # finds a whole journal again.
    Given the site answers at "typical" pace
    And 2 rounds are answered with "continue"
    And round 3 is answered with "done"
    And "drop-cache" strikes after the write of sent of round 1
    And "sever" strikes before the capture of round 1
    And "kill-pi" strikes after the write of checkpoint of round 2
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the bridge recovered by row 3
    And the bridge recovered by row 6
    And pi says why: lost; written anew from memory
    And every message reached the site exactly once
    And the agent executed the rounds "1, 2"
