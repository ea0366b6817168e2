@row-13
Feature: A crash loop
  A program that dies at its start is started again, by somebody who does not look why. What one process
  tried the next one finds in the journal: attempts are counted where a crash cannot reach them, and a
  loop ends when they are used up, with a person told and nothing sent twice.

  Scenario Outline: pi dies at every start at the same place (<place>): the twelfth attempt was the last
    Given the site answers at "typical" pace
    And round 1 thinks for "20s" and writes for "3m"
    And round 2 is answered with "done"
    And "kill-pi" strikes before the first look at a streaming answer of round 1
    And "kill-pi" strikes at "<place>#1/before"
    And "kill-pi" strikes at "<place>#2/before"
    And "kill-pi" strikes at "<place>#3/before"
    And "kill-pi" strikes at "<place>#4/before"
    And "kill-pi" strikes at "<place>#5/before"
    And "kill-pi" strikes at "<place>#6/before"
    And "kill-pi" strikes at "<place>#7/before"
    And "kill-pi" strikes at "<place>#8/before"
    And "kill-pi" strikes at "<place>#9/before"
    And "kill-pi" strikes at "<place>#10/before"
    And "kill-pi" strikes at "<place>#11/before"
    And "kill-pi" strikes at "<place>#12/before"
    When the bridge relays the request
    Then the session ends as "manual" by row 13
    And every fault struck
    And every message reached the site exactly once
    And the site received exactly 1 "ROUND" message
    And the agent executed nothing
    And pi says why: RESUME ACK invalid

    Examples: The line is not there yet
      | place            |
      | attach.connect@1 |
      | attach.pages@1   |

    Examples: The page is there, and is read
      | place              |
      | attach.ready@1     |
      | discover.record@1  |

  Scenario: Near miss: it stops dying one start earlier, and the session is taken up where it was
    Given the site answers at "typical" pace
    And round 1 thinks for "20s" and writes for "3m"
    And round 2 is answered with "done"
    And "kill-pi" strikes before the first look at a streaming answer of round 1
    And "kill-pi" strikes at "discover.record@1#1/before"
    And "kill-pi" strikes at "discover.record@1#2/before"
    And "kill-pi" strikes at "discover.record@1#3/before"
    And "kill-pi" strikes at "discover.record@1#4/before"
    And "kill-pi" strikes at "discover.record@1#5/before"
    And "kill-pi" strikes at "discover.record@1#6/before"
    And "kill-pi" strikes at "discover.record@1#7/before"
    And "kill-pi" strikes at "discover.record@1#8/before"
    And "kill-pi" strikes at "discover.record@1#9/before"
    And "kill-pi" strikes at "discover.record@1#10/before"
    And "kill-pi" strikes at "discover.record@1#11/before"
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the bridge recovered by row 6
    And every message reached the site exactly once
    And the agent executed the rounds "1"

  Scenario: Far between two checkpoints the attempts begin anew: twice eleven are no loop
    Given the site answers at "typical" pace
    And round 1 thinks for "20s" and writes for "3m"
    And round 2 thinks for "20s" and writes for "3m"
    And round 3 is answered with "done"
    And "kill-pi" strikes before the first look at a streaming answer of round 1
    And "kill-pi" strikes at "discover.record@1#1/before"
    And "kill-pi" strikes at "discover.record@1#2/before"
    And "kill-pi" strikes at "discover.record@1#3/before"
    And "kill-pi" strikes at "discover.record@1#4/before"
    And "kill-pi" strikes at "discover.record@1#5/before"
    And "kill-pi" strikes at "discover.record@1#6/before"
    And "kill-pi" strikes at "discover.record@1#7/before"
    And "kill-pi" strikes at "discover.record@1#8/before"
    And "kill-pi" strikes at "discover.record@1#9/before"
    And "kill-pi" strikes at "discover.record@1#10/before"
    And "kill-pi" strikes at "discover.record@1#11/before"
    And "kill-pi" strikes before the first look at a streaming answer of round 2
    And "kill-pi" strikes at "discover.record@2#1/before"
    And "kill-pi" strikes at "discover.record@2#2/before"
    And "kill-pi" strikes at "discover.record@2#3/before"
    And "kill-pi" strikes at "discover.record@2#4/before"
    And "kill-pi" strikes at "discover.record@2#5/before"
    And "kill-pi" strikes at "discover.record@2#6/before"
    And "kill-pi" strikes at "discover.record@2#7/before"
    And "kill-pi" strikes at "discover.record@2#8/before"
    And "kill-pi" strikes at "discover.record@2#9/before"
    And "kill-pi" strikes at "discover.record@2#10/before"
    And "kill-pi" strikes at "discover.record@2#11/before"
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And every message reached the site exactly once
    And the agent executed the rounds "1, 2"

  @row-15
  Scenario: A panic makes no loop: automation stops with the first
    Given the site answers at "typical" pace
    And round 1 thinks for "20s" and writes for "3m"
    And round 2 is answered with "done"
    And "kill-pi" strikes before the first look at a streaming answer of round 1
    And "panic" strikes at "discover.record@1#1/before"
    When the bridge relays the request
    Then the session ends as "thrown" by row 15
    And every fault struck
    And every message reached the site exactly once
    And the agent executed nothing
