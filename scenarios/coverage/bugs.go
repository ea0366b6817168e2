package coverage

// Bug is one public report of a bridge or a CDP client that failed in the field.
type Bug struct {
	ID   string // B: the site's side; D: the side of the connection
	What string
	// Excuse says why it is no scenario of a bridge: it concerns another program, or a part that a
	// bridge of this protocol does not have. "" = a scenario carries its tag.
	Excuse string
}

// Bugs lists the reports, in the order of their numbers.
func Bugs() []Bug { return append([]Bug(nil), bugTable...) }

var bugTable = []Bug{
	{"B01", "the lost answer to the click led to a second click", ""},
	{"B02", "the whole turn was tried again after a rate limit", ""},
	{"B04", "the first click did nothing, and Enter changed the text", ""},
	{"B05", "a posted turn that looked different counted as not sent", ""},
	{"B06", "a draft that came back was glued before the prompt", ""},
	{"B08", "the text area before the page's script swallowed the prompt", ""},
	{"B09", "a command that may have run was sent again", ""},
	{"B11", "a pause was taken for the end", ""},
	{"B12", "the introduction was captured as the answer", ""},
	{"B13", "the bar flashed with one word shown", ""},
	{"B15", "a turn with tools was captured between two steps", ""},
	{"B16", "a part of the answer was given back as the whole", ""},
	{
		"B17", "a half-drawn image was saved as the result",
		"a PLAN is text in one code block; nothing of the protocol reads an image",
	},
	{"B18", "the first stream ended with a hand-off", ""},
	{"B19", "the user's own text came back as the answer", ""},
	{"B21", "a submit button of another form was clicked", ""},
	{"B22", "another container element, and no messages were found", ""},
	{"B23", "a wrapper was captured in place of the text", ""},
	{"B25", "the number of mounted turns did not grow", ""},
	{"B26", "the answer before was taken", ""},
	{"B27", "nested message nodes moved the index", ""},
	{"B29", "the baseline was read while turns were still mounting", ""},
	{"B30", "the socket dropped near the end, the answer was never read", ""},
	{"B31", "a redirect to the login ended the run with a raw error", ""},
	{"B32", "an accepted send was sent again after a stall", ""},
	{"B34", "a crashed renderer, and commands that hang", ""},
	{"B36", "a transient address was kept as the conversation", ""},
	{"B37", "only the root address was saved, an old tab was taken", ""},
	{"B40", "copied cookies logged the person out", ""},
	{"B41", "a chat without an address was sent again into a new one", ""},
	{"B42", "the rate dialog was dismissed and the message sent again", ""},
	{"B43", "a healthy page was taken for a challenge", ""},
	{"B45", "a guest's page looked ready", ""},
	{"B46", "half an hour of a notice outside the turn", ""},
	{"B48", "requests failed for too large a header", ""},
	{"B50", "the answer came from another conversation", ""},
	{"B51", "two programs worked in one tab", ""},
	{"B53", "it was typed into the page that was still there", ""},
	{
		"B54", "two sends on one tab, the second one empty",
		"one relay sends one message after the other, and the lock on the state folder refuses a " +
			"second process (bridge/session, ErrLocked); there is no call that could overlap",
	},
	{"B56", "a late watcher overwrote the recorded end", ""},
	{"B57", "a restart forgot its windows", ""},
	{"B59", "the capture died with the process", ""},
	{"B60", "state from before the reconnect was kept", ""},
	{"B61", "line breaks of code were lost", ""},
	{"B63", "a large insert lost a piece", ""},
	{"B65", "a bulk type overran the pipe", ""},
	{"B66", "a notice beside the prompt broke a hash", ""},
	{"B67", "tabs and pollers piled up", ""},
	{"B68", "a connection stayed open after the recovery", ""},
	{"B69", "reading the whole page cost seven processors", ""},
	{"B71", "no action bar, and a finished answer failed", ""},
	{"B72", "a very fast answer was never seen running", ""},
	{"B73", "another stop button held the run open", ""},
	{
		"B75", "a frame callback in a hidden tab never came",
		"the probe awaits no frame: its functions answer in one evaluate, which the conformance of the " +
			"probe on both engines shows; a background tab has nothing to hold back",
	},
	{"B77", "the preparation outlived its limit, and it was sent after all", ""},
	{"B78", "an idle page was waited for that is never idle", ""},

	{"D01", "the socket of the tab dropped: Chrome window closed", ""},
	{"D02", "cut before the send, and running for ever", ""},
	{"D03", "a stale target id, and only the root address", ""},
	{"D05", "the browser was killed, the call hung for ever", ""},
	{"D06", "no way to learn of a lost browser", ""},
	{"D08", "a borrowed tab was closed", ""},
	{"D09", "an idle connection dropped in silence", ""},
	{"D11", "closing a cut connection never ended", ""},
	{"D12", "a dead socket counted as connected", ""},
	{"D13", "a proxy restart failed every session", ""},
	{"D15", "a closed endpoint stayed in use", ""},
	{"D16", "a crash, and a call without a limit", ""},
	{"D17", "a browser restart made the client useless", ""},
	{"D18", "a service ended the session, the dead backend stayed", ""},
	{"D19", "nobody knew who closed the connection", ""},
	{"D20", "errors without a session id, and an attach without end", ""},
	{"D22", "a drop ended the agent at the first failed dial", ""},
	{"D24", "an end without a close frame was not recognised", ""},
	{"D26", "the dead endpoint was dialled for ever", ""},
	{"D27", "a storm of connections", ""},
	{"D29", "old clients stayed attached", ""},
	{"D30", "one closed tab blocked the list of the others", ""},
	{"D32", "a dialog hung every command of the tab", ""},
	{"D34", "the person's browser was closed", ""},
	{"D36", "a host that slept, and no reconnect", ""},
	{"D38", "unavailable for ever after a restart", ""},
	{"D39", "a cached handle after a restart", ""},
	{"D40", "a detach of a tab that lives counted as its end", ""},
	{"D42", "a large command closed the socket", ""},
	{"D43", "fragmented or large commands, and a silent end", ""},
	{"D44", "a reset without a handshake ended the handler", ""},
	{
		"D45", "a DNS name in the Host header was refused",
		"a matter of how the client dials: bridge/browser/chrome resolves the endpoint by address, and " +
			"its dial tests hold it; the bridge never sees a header",
	},
	{"D47", "a crash while events were collected", ""},
	{"D90", "a call on a void session hung until its limit", ""},
	{"D91", "after a crash the call in flight never ended", ""},
	{"D92", "the reason of a loss was hidden", ""},
	{"D93", "a closed browser was first seen as a detached tab", ""},
	{
		"D94", "a foreign client took its permissions away when it left",
		"the bridge grants no permission and needs none: the copy button is one of three sources, and " +
			"a broken one is a scenario of B23",
	},
	{"D95", "a reload of a looping tab reported success", ""},
	{"D96", "a new connection could not end an older loop", ""},
	{"D97", "a large reply was dropped in silence", ""},
	{
		"D98", "a navigation to a silent server blocked every evaluate",
		"no fault of the vocabulary starts a navigation that hangs; bridge/browser/chrome's table of " +
			"losses drives a real browser into a hang, and stopLoading is the first cure of the mending",
	},
	{"D99", "an isolated world came back empty after a reload", ""},
}
