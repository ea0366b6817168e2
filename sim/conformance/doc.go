// Package conformance checks the model against the real page: one state of the site, one script of
// steps, two arms, and after every step the same questions to both.
//
//	             ┌─ virtual arm:  event loop ── model of the page ──── fakesite.Site ─┐
//	State ─ Play ┤                                                                    ├─ Compare
//	  steps      └─ chromium arm: manual clock ── Chromium ── web ──── fakesite.Site ─┘
//	              one browser context per state; the page stands still between steps
//
// The two sites are made of the same configuration, so their ids are equal. What a page makes
// itself (the ids of the messages that it sends, its transient addresses) is named by order of
// appearance; where a button stands counts as there or not there; names of documents do not count.
// Everything else has to be the same, value by value. Where the arms differ, Chromium is right
// about what its page shows, and the site facts are right about what the page should show.
//
// Nothing sleeps: the chromium arm moves its clock, pushes, and waits for the mark that the page
// puts on its root element (data-fake-version) once it shows that push.
package conformance
