// Package oracle judges one run by its history: one oracle per promise of the specification.
//
//	history (header + events) ──NewCase──► Case: one index ──Judge──► a Finding per oracle
//	 site     what was received, answered            Pass     the promise was kept
//	 agent    what was claimed, settled              Fail     it was broken, and here
//	 store    what became durable                    Unknown  the history cannot tell
//	 cdp      what was done to the browser
//	 bridge   what the bridge says of itself (compared, never believed)
//	 fault, verdict, world
//
// A promise is a sentinel error whose text is the sentence of the specification, so the line of a
// report is its own explanation. A Case is built from the history alone: an old file can be judged
// again, by better oracles than those of its time. Nothing here does I/O, and nothing is said for
// the bridge: where bodies or readings are missing, a verdict that needs them is Unknown, never
// Pass.
//
// # The log contract
//
// What a world must log, lane by lane. Seq orders everything; an event stands behind its cause.
// Words of a Text are separated by one space, and a reader takes no notice of words that it does
// not know.
//
// world
//
//	script   first event. Key: the outcome of the fault-free run, "" when nobody knows it; Round: how
//	         many plans the fault-free run executes; Text: "q=<qid> deny=<denial>,… views=<lane>,…",
//	         the lanes that this world logs, and "pace=<n>" when its clock runs n times as fast as
//	         the machine's; Body: the request. See Script.Event
//	start    a process of pi begins. Key: "run" or "resume"; Text holds "person" when a person
//	         started it after helping, "limits" when its boundaries are wider than before, StartLed
//	         when it is told a conversation or an open tab shows one whose record has a HELLO for its
//	         request, StartUnled when there is none (neither word: the world did not look)
//	killed   the process of pi was killed from outside (no outcome follows)
//	panic    the process of pi panicked
//	late-effect  directly in front of what it brings about: a click takes effect whose session is
//	         gone
//	blocker  what the site puts in the way changed. Key: the blocker's name, "" when it is lifted
//	tab-…    what a person did in the browser; tab-typed, tab-sent and second-client acts explain
//	         messages that are not pi's
//	end      last event. Key: the outcome of the last process, RefusedToBegin when it did nothing;
//	         Text: "hang" or "bound" when the world had to end the run
//
// site (written from the site's ledger; Reader.Site makes these events)
//
//	received, refused, dropped   Key: message id; Body: the text; Text: "c=<conversation>
//	         why=<refusal> KIND s= r= p= q= ck= next= err= FLAG…", the reading of the text:
//	         foreign    no header of pi-bridge/1, and no other word follows
//	         malformed  the header is there, the rest is not whole
//	         request    a ROUND that carries the request, word for word
//	         asks       a ROUND that carries another request
//	         told       a HELLO or RESYNC whose objective holds the request
//	         static     a RESUME that carries contract or capabilities
//	         bare       a RESYNC without its HELLO
//	answered Key: the user message's id; Body: what the answer will be; Text: "<ending> <ends>
//	         READING": the state that it ends in, the nanoseconds since the start of the run at which
//	         it ends ("-" when it never does), then one of "ack", "refusal=<codes>", "plan",
//	         "faults=<codes>" (with "headless" when no line is a pi-bridge header), "other". When an
//	         approval settles the end only later, a second event with the same Key says so
//	stopped  Key: the user message's id: its answer ends here
//	edited   the record holds another text as the answer from here on. Key: the user message's id;
//	         Body: that text; Text: its READING as above, a plan event behind it when it is "plan"
//	plan     directly behind an answered event whose reading is "plan". Key: planKey; Round; Text:
//	         "<decision> effects needs=<denied capability>"; Body: the block, fences excluded. In a
//	         history without bodies its Digest is all that word-for-word rests on
//
// agent
//
//	claim    Key: planKey; Round; Body: the plan as handed over. Every start of effects, none else
//	settled  Key: planKey; Round: the receipt stands. At the latest when it is told for the first
//	         time
//	died     Key: planKey; Round: the process ended without a receipt
//
// store
//
//	append   a record is durable. Key: its kind; Round; Text: the message's kind (intent, sent,
//	         not-sent, ack, refused), the planKey (validated, executing, settled, checkpoint,
//	         terminal) or the outcome (stopped). A journal written anew has Key "snapshot" and
//	         the words "intent=<kind> executing=<planKey> terminal=<planKey>" of what it still says
//
// cdp
//
//	call     a command, before it takes effect. Op, Round; Key: method, or name of the probe
//	failed   its error; Key as before, Text: kind of the loss or code
//	seen     an answer of the probes guard and turn, whenever it differs from the one before on that
//	         session. Key: probe; Text: the turn's state, or the blocker, "" when none stands any
//	         more
//	clicked  a control of the page was clicked. Key: send, stop, retry, regenerate, continue or
//	         answer-now
//
// bridge: the notes as they are (point.Note). A verdict note has the row in Key ("0" when none
// fits) and the act in front of the evidence in Text: "look; …", "RESUME; …".
//
// verdict
//
//	expected directly behind the bridge's verdict note. Key: the row by world truth (truth.Expected);
//	         Text: why
//	false    the bridge's evidence contradicts the world (truth.Compatible). Key: row; Text: what
//
// fault: the stages of faults.Event: armed, reached, applied, healed, stays, missed. Key: the fault
// in the form of schedules (faults.Fault.String); Text: the evidence. What a correct bridge must do
// about it is looked up in the table of faults.
package oracle
