@explore
Feature: Sessions that are explored
  Each of these is a whole session. "sim explore" plays it once for every place at which a fault can strike
  and every fault that can strike there; "sim run" plays it as it stands.

  @quick
  Scenario: Quick
    Given round 1 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"

  Scenario: Two rounds
    Given the site answers at "typical" pace
    And round 1 is answered with "continue"
    And round 2 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And the agent executed the rounds "1"

  Scenario: REPAIR
    Given round 1 is answered first with "plan-no-decision"
    And round 1 is answered with "continue"
    And round 2 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And the site received exactly 1 "REPAIR" message

  Scenario: REPAIR is forgotten, RESYNC
    Given round 1 is answered first with "plan-forgot"
    And round 1 is answered then with "plan-forgot"
    And round 2 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And the site received exactly 1 "RESYNC" message

  Scenario: need_info
    Given round 1 is answered with "need_info"
    And round 2 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And the agent executed the rounds "1"

  Scenario: blocked
    Given round 1 is answered with "continue"
    And round 2 is answered with "blocked" because "需要人工登录邮箱"
    When the bridge relays the request
    Then the session ends as "blocked"

  Scenario: done after work
    Given round 1 is answered with "continue"
    And round 2 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And the session is closed by round 2

  Scenario: RESUME after a restart
    Given round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "kill-pi" strikes after the write of checkpoint of round 1
    When the bridge relays the request
    Then the session ends as "done"
    And the site received exactly 1 "RESUME" message

  Scenario: RESYNC after an acknowledgement of another version
    Given the acknowledgement deviates once by "ack-contract"
    And round 1 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And the site received exactly 1 "RESYNC" message

  Scenario: Capabilities changed
    Given round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "change-caps" to "file.read,file.write,shell.local,test.repo" strikes after the write of checkpoint of round 1
    When the bridge relays the request
    Then the session ends as "done"
    And the site received exactly 1 "RESYNC" message

  Scenario: A boundary
    Given at most 1 round
    And 3 rounds are answered with "continue"
    When the bridge relays the request
    Then the session ends as "boundary" by row 14

  Scenario: Two restarts
    Given round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "kill-pi" strikes after the write of executing of round 1
    And "kill-pi" strikes after the submit of round 2
    When the bridge relays the request
    Then the session ends as "done"
    And the agent executed the rounds "1"

  @row-13
  Scenario: A refused RESUME, and a refused RESYNC
    Given round 1 is answered with "continue"
    And round 2 is answered with "done"
    And the acknowledgement of RESUME deviates by "resume-ck"
    And "kill-pi" strikes after the write of checkpoint of round 1
    When the bridge relays the request
    Then the session ends as "done"
    And the site received exactly 1 "RESYNC" message

  Scenario: Many rounds
    Given the site answers at "typical" pace
    And 7 rounds are answered with "continue"
    And round 8 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And the agent executed the rounds "1, 2, 3, 4, 5, 6, 7"

  Scenario: A long answer
    Given the site answers at "typical" pace
    And round 1 thinks for "28m" and writes for "2m"
    And the agent takes "25m" in round 1
    And round 2 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And the agent executed the rounds "1"
