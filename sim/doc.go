// Package sim runs one scenario in one world and says what happened there.
//
//	Script (data) ──► World ──► Result
//	                    │
//	        ┌───────────┼──────────────┬──────────────┐
//	      stage       fakesite       agent          bridge
//	   (engine: clock, (the other    (executes,     (the subject:
//	    browser, site   side, its     its ledger)    one process of pi)
//	    front end)      ledger)
//
// The same Script runs on every engine. What the bridge says about itself is kept in the History
// and never believed: a Result is read from the site's ledger and the agent's ledger, which the
// bridge cannot write.
package sim
