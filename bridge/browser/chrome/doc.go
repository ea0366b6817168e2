// Package chrome is the browser port on a real Chromium: a thin client over chromedp's websocket
// transport (remote.Conn) and cdproto's messages. chromedp launches browsers and carries frames;
// the session is our own, because chromedp's sends fourteen hidden commands at an attach and leaves
// calls on a stale session or a crashed renderer without an end (F145, D90, D91).
//
//	Session.Call ─► pending[id] ─► writer ─► remote.Conn ═websocket═► Chromium
//	      ▲             │                                               │
//	      └── reply ────┤◄── reader ◄───────────────────────────────────┘
//	          or *Loss  └─► events (Drain) and losses (Lost)
//
// One reader and one writer goroutine live per connection. Replies match by id alone: Chromium's
// -32001 carries no session id (F102). Whatever ends a session or the connection ends every call in
// flight at once, with a *browser.Loss that names what is gone:
//
//	reply -32001                          session-stale
//	Target.detachedFromTarget             socket-lost if the connection ends within 250 ms (F261),
//	                                      else target-closed or session-stale (Target.getTargets)
//	Inspector.targetCrashed               target-crashed; Page.reload and Page.navigate pass (F227)
//	end of the websocket                  socket-lost, with the transport's reason as cause
//	heartbeat without an answer           socket-lost (a half-open socket, F257, D12)
//	attach command without an answer      target-wedged when the browser itself answers, else silent
//	deadline of a call                    silent: nothing is proven; the command may have been
//	                                      carried out (F123). Browser.Alive tells a silent page from
//	                                      a silent browser.
//
// No call can hang: without a deadline of its own it gets the dialer's (15 s). A command whose
// caller gave up before it was written is never written.
//
// Limits are the transport's and Chromium's: a message of more than 256 MiB ends the connection
// here, Chromium drops replies of 256 MiB and more in silence (F601, F602: such a call is Silent)
// and resets the socket at commands of 100 MiB (F603). A reader that lags is held back by TCP.
// Events wait in a ring of 10,000 per session; what falls out of it is counted.
package chrome
