@edge-any-to-disconnected
Feature: any → disconnected, in every state that a loss can reach
  A loss tells nothing about what was done. The state that it struck is kept, and recovery goes back
  to exactly that state, never to a better one.

  Scenario Outline: The line is lost in "<state>"
    Given the site answers at "typical" pace
    And the acknowledgement thinks for "5s" and writes for "40s"
    And round 1 thinks for "20s" and writes for "3m"
    And round 2 is answered with "done"
    And "<fault>" strikes <when>
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the session took the edge "any-to-disconnected" from "<state>"
    And every message reached the site exactly once
    And the site saw one sid
    And the agent executed the rounds "1"
    And the agent executed word for word what the site wrote

    @edge-disconnected-to-round
    Examples: The socket goes, pi remembers (row 3)
      | state       | fault | when                                                   |
      | new         | sever | before the insert of round 0                           |
      | hello-sent  | sever | after the submit of round 0                            |
      | hello-sent  | sever | before the first look at a streaming answer of round 0 |
      | established | sever | before the insert of round 1                           |
      | round       | sever | before the submit of round 1                           |
      | round       | sever | after the first look at a thinking answer of round 1   |
      | settled     | sever | before the read-back of round 2                        |

    @edge-disconnected-to-round
    Examples: The page reloads, pi remembers (row 4)
      | state       | fault  | when                                                   |
      | hello-sent  | reload | before the first look at a streaming answer of round 0 |
      | established | reload | before the insert of round 1                           |
      | round       | reload | before the capture of round 1                          |
      | settled     | reload | before the insert of round 2                           |

    @edge-disconnected-to-round
    Examples: The tab is closed, the conversation lives (row 5)
      | state       | fault     | when                                                   |
      | established | close-tab | before the insert of round 1                           |
      | round       | close-tab | before the first look at a streaming answer of round 1 |
      | settled     | close-tab | before the insert of round 2                           |

    @edge-disconnected-to-resume
    Examples: pi dies and remembers nothing (row 6)
      | state       | fault   | when                                        |
      | new         | kill-pi | before the insert of round 0                |
      | hello-sent  | kill-pi | after the submit of round 0                 |
      | established | kill-pi | before the insert of round 1                |
      | round       | kill-pi | after the submit of round 1                 |
      | plan        | kill-pi | after the write of validated of round 1     |
      | executing   | kill-pi | after the write of executing of round 1     |
      | executing   | kill-pi | after the hand-over to the agent of round 1 |
      | settled     | kill-pi | after the write of settled of round 1       |
      | settled     | kill-pi | after the write of checkpoint of round 1    |

  @edge-disconnected-to-round
  Scenario Outline: The line is lost in "<state>", while a round is being repaired
    Given the site answers at "typical" pace
    And round 1 is answered first with "plan-no-decision"
    And round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "<fault>" strikes at "<place>"
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the session took the edge "any-to-disconnected" from "<state>"
    And the site received exactly 1 "REPAIR" message
    And every message reached the site exactly once
    And the agent executed the rounds "1"
    And the agent executed word for word what the site wrote

    Examples:
      | state        | fault   | place                          |
      | plan-invalid | sever   | send.insert@1#2/before         |
      | plan-invalid | kill-pi | store.append@1:invalid#1/after |
      | repair       | sever   | send.submit@1#4/before         |
      | repair       | sever   | send.submit@1#4/after          |
      | repair       | kill-pi | send.submit@1#4/after          |
      | repair       | sever   | capture.record@1#2/before      |

  @edge-disconnected-to-round
  Scenario Outline: The line is lost in "resume", while pi says where it stands
    Given the site answers at "typical" pace
    And round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "kill-pi" strikes after the write of checkpoint of round 1
    And "<fault>" strikes at "<place>"
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the session took the edge "any-to-disconnected" from "resume"
    And the site received exactly 1 "RESUME" message
    And every message reached the site exactly once
    And the agent executed the rounds "1"

    Examples:
      | fault   | place                  |
      | sever   | send.submit@1#4/before |
      | sever   | send.submit@1#4/after  |
      | kill-pi | send.submit@1#4/after  |
      | reload  | capture.record@1#2/before |

  @edge-disconnected-to-round
  Scenario Outline: The line is lost in "resync", while static text is declared again
    Given the site answers at "typical" pace
    And the acknowledgement deviates once by "ack-contract"
    And round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "<fault>" strikes at "<place>"
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the session took the edge "any-to-disconnected" from "resync"
    And the site received exactly 1 "RESYNC" message
    And every message reached the site exactly once
    And the agent executed the rounds "1"

    Examples:
      | fault   | place                  |
      | sever   | send.submit@0#4/before |
      | sever   | send.submit@0#4/after  |
      | kill-pi | send.submit@0#4/after  |
      | reload  | capture.record@0#2/before |

  Scenario Outline: Two losses one after the other, in "<first>" and in "<second>"
    Given the site answers at "typical" pace
    And round 1 thinks for "20s" and writes for "3m"
    And round 2 is answered with "done"
    And "<one>" strikes <when>
    And "<other>" strikes <then>
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the session took the edge "any-to-disconnected" from "<first>"
    And the session took the edge "any-to-disconnected" from "<second>"
    And every message reached the site exactly once
    And the agent executed the rounds "1"

    Examples:
      | first      | one   | when                                                 | second  | other   | then                                        |
      | hello-sent | sever | after the submit of round 0                          | round   | sever   | after the submit of round 1                 |
      | round      | sever | after the first look at a thinking answer of round 1 | settled | kill-pi | after the write of settled of round 1       |
      | round      | sever | after the submit of round 1                          | executing | kill-pi | after the hand-over to the agent of round 1 |
