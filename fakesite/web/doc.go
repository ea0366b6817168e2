// Package web serves a fakesite.Site over HTTP: the backend that a ChatGPT page talks to, and the
// page itself, a small hand-written script that renders what this server tells it.
//
//	                 GET /, /c/<id>                     ┌──────────── Server ───────────┐
//	browser  ◄─────────── bare shell ───────────────────┤ document: one loaded page     │
//	  page   ◄── push: version, view, turns ── socket ──┤   look() = what it shows now  │◄─ Do, Tick
//	         ─── act: scroll, go, choose, approve ─────►│                               │
//	         ─── POST …/f/conversation, session, … ────►│ Site (core), under one lock   │◄─ Clock
//	         ◄── text/event-stream ─────────────────────┤ pulse: sleeps to the horizon  │
//	                                                    └───────────────────────────────┘
//
// # Time
//
// The page has no timers. What it shows is computed here (look) as a function of the site, the time
// and what was done in that document, and pushed over one socket per document. Whenever something
// may have changed (Do, Tick, a request, an act), refresh computes all views, raises the version
// and finds the horizon: the next moment at which any view or stream changes by itself. One
// goroutine, the pulse, sleeps on the site's Clock until then. So a hidden tab with slow timers is
// as fast as one in front, a scaled clock speeds everything up, and with a clock that a test
// moves by hand the page stands still until the test moves it and calls Tick.
//
// The root element carries two marks for tests. They are no part of the real site:
//
//	data-fake-version   number of the last push that was applied and rendered; Do and Tick return
//	                    the number to wait for
//	data-fake-sending   id of the send that was neither shown nor refused yet; "" when there is
//	                    none
//
// # What the page shows when
//
// O is fakesite.Options, T is Timing. Times of a document count from its GET.
//
//	readyState complete     T.Load after the GET (a picture is held back so long)
//	fallback text area      only with O.FallbackFor, until hydration; its form is a GET to
//	                        /?prompt-textarea=…
//	hydration               T.Load + the longer of T.Hydrate and O.FallbackFor: composer, sidebar
//	                        and the mounted turns in one go; before it the body is empty
//	turns                   the last O.Window of the visible ones; the others leave shells,
//	                        div[data-turn-id-container] (families section and article).
//	                        O.MountSlow: the k-th comes 250 ms × k after hydration. Scrolling up
//	                        near the top moves the window by two turns, down near the end back; a
//	                        send moves it to the end
//	voice, send, stop       one place: stop while the newest visible answer runs (see below), else
//	                        send when the composer has text that an input event told of, else
//	                        voice
//	send disabled           while an answer runs, until its end + T.Reenable, while two responses
//	                        wait for a choice, under BlockCap
//	a send                  Enter or a click: prepare and requirements POSTs, then the POST. Until
//	                        POST + T.Commit nothing changes; then composer empty, user turn and
//	                        answer mounted, stop shown, in one go. Other documents on the
//	                        conversation show the turns at once
//	address                 Site.Address, from the commit on, by history push. "/" leaves it as it
//	                        is
//	O.SendNoop n            the first n clicks in a document do nothing; Enter works
//	O.Freeze                from an accepted POST on the document shows what it showed, for good
//	a refused send          a toast, the composer keeps its text; Faults.Accepted500: the same,
//	                        and this document does not show the new turns until it is loaded anew
//	Faults.Dropped          this document shows the user turn and an empty answer without stop and
//	                        bar; no other does
//	O.DraftRestored         put before the text of the composer, once per document, hydration +
//	                        O.DraftAfter
//	O.LateWipe              the composer is emptied once per document, hydration + O.LateWipe
//	answer, waiting         an empty answer with its message id (placeholder)
//	answer, thinking        data-message-model-slug; [data-streaming-response-status=thinking]
//	                        with span.loading-shimmer before the message. O.Preamble: a message
//	                        node <id>-preamble before that. O.AnswerNow: a form with a submit
//	                        button. O.Deferral: a notice above the composer
//	answer, text stands     the status becomes "complete" with "Thought for Ns" (begin → first
//	                        text, whole seconds, none when 0) and stays
//	stop button             from the commit to the end, unless O.NoStop. O.StopFlicker: away while
//	                        the bytes that stand are odd in number. O.EarlyBar: away while the bar
//	                        flashes
//	action bar              end + T.Bar on complete and stopped answers, unless O.NoBar or a
//	                        choice is open; O.EarlyBar: also while exactly the first piece stands
//	answer, failed          what stands, .text-token-text-error and a Retry button, no bar. Retry
//	                        does nothing
//	answer, stopped         what stands; "Stopped thinking" without text
//	Message.Alternative     at the end two "I prefer this response" buttons; a choice is kept for
//	                        all documents
//	Message.Truncated       "Continue generating" in the turn, beside the bar. It does nothing
//	O.ToolApproval          [data-testid=tool-approval-card] while Course.AwaitsApproval; Allow
//	                        goes on
//	O.Canvas                the newest answer's text in aside[data-testid=canvas-panel], a remark
//	                        in each answer
//	O.UserHTML, UserNotice  user text rendered as markdown; a notice beside the bubble
//	O.Nested                all answers but the newest turn's hold two more message nodes, <id>-a
//	                        and <id>-b
//	O.CopyBroken, CopyStale copy buttons write nothing; what the mounted answer before shows
//	                        (code: its first block)
//	O.NBSP                  every second space of a run in the composer is U+00A0; what is sent
//	                        has plain spaces
//	O.OtherStop             a header button and a sidebar entry whose labels begin with "Stop"
//
// Blockers appear in open pages at once (all but the challenge after hydration only):
//
//	captcha     #challenge-form is the whole page, title "Just a moment..."; the GET answers 403
//	login       login and signup buttons instead of profile and history; composer stays. Turns
//	            stay in documents that were loaded before. A refused send opens
//	            #modal-no-auth-login
//	expired     #modal-expired-session over the page; profile and history stay
//	rate-limit  [role=dialog] "Too many requests" unless O.NoRateDialog; closing it lasts until
//	            the next refused send. History reads answer 429
//	usage-cap   [role=alert] above the composer, which is contenteditable=false and aria-disabled,
//	            Send disabled
//	downgrade   [role=status] above the composer, nothing else
//	account     [role=dialog] "We detected suspicious activity"
//
// # The record
//
// GET /backend-api/conversation/{id} gives root → hidden system node → messages. O.Preamble adds a
// commentary node before the answer, O.Canvas a canmore node, an Alternative a sibling; all else is
// the core's branch, and what other branches left. A failed answer has the status "error", a
// stopped one "finished_partial_completion", neither ends the turn. Without the bearer of
// /api/auth/session history is masked: 404, or an empty list.
//
// # Limits of the model
//
// The stream of an answer is on the wire only; the page reads it to its end and shows what is
// pushed. A lost socket is taken up again after a second (the page's only timer). A send is lost
// for its document when more than 128 later ones were opened and it has no socket.
package web
