Feature: Field bugs: killed and started again
  What is on disk is enough to go on; what is in the browser is looked at again, not remembered.

  # A watcher of the first run ended late and overwrote the end that the second had recorded.
  @field-B56
  Scenario Outline: pi is killed <when> the end was recorded
    Given the site answers at "typical" pace
    And round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "kill-pi" strikes <how> the write of terminal of round 2
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the session is closed by round 2
    And the checkpoint is round 1
    And the last message of ours is the ROUND of round 2

    Examples:
      | when   | how    |
      | before | before |
      | after  | after  |

  # The restart forgot which windows were its own and opened new ones.
  @field-B57 @field-B59
  Scenario Outline: pi is killed in the middle of the answer and comes back <later>
    Given the site answers at "typical" pace
    And round 1 thinks for "10m" and writes for "1m"
    And round 2 is answered with "done"
    And "kill-pi" with "for=<later>" strikes after the first look at a thinking answer of round 1
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the browser was given exactly 1 "Target.createTarget" command
    And every message reached the site exactly once
    And the agent executed word for word what the site wrote
    And every tab that the bridge opened is closed

    Examples:
      | later |
      | 1s    |
      | 5m    |
      | 2h    |

  # After the new connection the old document's state was used; the page had moved on meanwhile.
  @field-B60 @field-D99
  Scenario Outline: "<one>" and "<other>" together
    Given the site answers at "typical" pace
    And round 1 thinks for "20s" and writes for "3m"
    And round 2 is answered with "done"
    And "<one>" strikes before the first look at a streaming answer of round 1
    And "<other>" strikes before the first look at a streaming answer of round 1
    When the bridge relays the request
    Then the session ends as "done"
    And every message reached the site exactly once
    And the agent executed word for word what the site wrote

    Examples:
      | one    | other   |
      | reload | sever   |
      | reload | kill-pi |
      | navigate-away | sever |
      | navigate-away | kill-pi |
      | close-tab | kill-pi |

  # pi was killed five times in one session.
  @field-B59
  Scenario: pi is killed at every stage of one round
    Given the site answers at "typical" pace
    And round 1 is answered with "continue"
    And round 2 is answered with "continue"
    And round 3 is answered with "done"
    And "kill-pi" strikes after the write of intent of round 2
    And "kill-pi" strikes after the write of validated of round 2
    And "kill-pi" strikes after the write of executing of round 2
    And "kill-pi" strikes before the write of settled of round 2
    And "kill-pi" strikes after the write of checkpoint of round 2
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And every message reached the site exactly once
    And the agent executed the rounds "1, 2"
    And the site saw one sid
