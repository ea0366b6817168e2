// Package page is what a bridge does to one ChatGPT page: make it ready, put a text in and submit
// it once, wait for the answer to exactly that message, and obtain the answer whole.
//
//	relay ──Prepare, Submit, Prove──► Page ──typed probes──► browser.Session ──► document
//	      ◄─Submission, Proof────────┘  │                                      (probe/*.js)
//	      ──Wait, Capture─────────────► │  record │ DOM │ copy button
//	      ◄─Ended, Reply, typed error──┘   three sources, one verdict
//
// A send is three steps so that the caller can write its journal between them:
//
//	Prepare   everything that can be undone: guard, type, read back, baseline, fence
//	 journal  "from now on it may go out" (unknown), durable
//	Submit    guard once more, then one trusted click; its answer proves nothing
//	Prove     the request's message id, or our header in a turn that is new since the baseline
//	 journal  sent
//	NotSent   the other way round: mechanical proof that it did not go out and cannot any more
//
// Nothing here presses Retry, Regenerate, Continue generating or Answer now, and nothing submits
// twice. Losses of the browser pass through as *browser.Loss; everything else is a typed error.
package page
