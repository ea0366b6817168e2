Feature: Regressions: the page takes the typed text away before the click
  Found by sim explore. A message that was never clicked is proven not sent, and is typed again.

  # An answer was cut before it showed a word; the page then emptied the composer that already held
  # the RESUME. The bridge held the RESUME for unknown until its budget was spent.
  @row-02
  Scenario Outline: The answer of round 1 is cut <when> the first look, which rarely finds a turn
    Given the site answers at "typical" pace
    And round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "cut-stream" strikes at "wait.poll@1#1/<when>"
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And every message reached the site exactly once

    Examples:
      | when   |
      | before |
      | after  |
