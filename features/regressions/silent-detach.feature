Feature: Regressions: leaving waits for nobody
  Found by sim explore.

  # The detach of the last session was never answered, and pi waited for it without end.
  Scenario: The browser does not answer the last detach
    Given round 1 is answered with "done"
    And "drop" strikes at "detach.close@1#1/before"
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
