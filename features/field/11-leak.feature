Feature: Field bugs: what is left behind
  Own tabs are closed at the end, a person's tab is left as it was, and waiting is cheap.

  # Tabs piled up run after run.
  @field-B67 @field-B68
  Scenario Outline: The own tab is closed at the end, also after "<fault>"
    Given the site answers at "typical" pace
    And round 1 thinks for "20s" and writes for "3m"
    And round 2 is answered with "done"
    And "<fault>" strikes before the first look at a streaming answer of round 1
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And every tab that the bridge opened is closed
    And the browser was given at most 0 "Browser.close" commands

    Examples:
      | fault   |
      | sever   |
      | detach  |
      | reload  |
      | kill-pi |

  # A tab that is needed to go on was closed with the failed run.
  @field-B67
  Scenario: The tab stays where a person or a later run needs it
    Given the site answers at "typical" pace
    And round 1 thinks for "20s" and writes for "3m"
    And "captcha" strikes before the first look at a streaming answer of round 1
    When the bridge relays the request
    Then the session ends as "blocker" by row 12
    And the browser was given exactly 0 "Target.closeTarget" commands

  # A tab that the program had not opened was closed when the program left.
  @field-D08 @field-D34
  Scenario: A tab that nobody can prove to be ours is left as it was
    Given the site answers at "typical" pace
    And round 1 is answered with "continue"
    And round 2 is answered with "done"
    And "lose-cache" strikes after the write of checkpoint of round 1
    When the bridge relays the request
    Then the session ends as "done"
    And every fault struck
    And the browser was given exactly 0 "Target.closeTarget" commands
    And the browser was given at most 0 "Browser.close" commands

  # Reading the whole page again and again took seven processors and four gigabytes.
  @field-B69
  Scenario: Half an hour of waiting costs few looks and no whole texts
    Given the site answers at "typical" pace
    And round 1 thinks for "28m" and writes for "30s"
    And round 2 is answered with "done"
    When the bridge relays the request
    Then the session ends as "done"
    And the browser was given at most 600 "turn" commands
    And the browser was given at most 100 "record" commands
    And the browser was given at most 4 "text" commands

  # The outage was answered with a storm of connections.
  @field-D27
  Scenario: A browser that is gone is called for with patience
    Given the site answers at "typical" pace
    And round 1 thinks for "20s" and writes for "3m"
    And "kill-browser" strikes before the first look at a streaming answer of round 1
    When the bridge relays the request
    Then the session ends as "manual" by row 13
    And every fault struck
    And the browser was given at most 14 "dial" commands
    And the run took at most "2h"
