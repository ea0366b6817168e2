// Package probe is the contract between a bridge and the document that it reads: a set of named
// functions with typed arguments and answers.
//
//	page.Do(Turn, args) ──► Session.Call("Runtime.evaluate", Eval[TurnArgs]{…}, *Reply[TurnState])
//	                            │ on the wire: __bridge.turn({…}) in JSON      (probe.js)
//	                            └ on the virtual engine: the Go values as they are
//
// The same names are implemented twice, in probe.js for a real document and in Go for the model. A
// conformance suite compares the two answer by answer, in every state of the site.
package probe

import "sync"

// Probe names one function with its argument and answer type.
type Probe[A, R any] struct {
	Name  string
	Await bool // the function returns a promise

	spare *sync.Pool // of exchanges
}

func named[A, R any](name string) Probe[A, R] {
	return Probe[A, R]{Name: name, spare: new(sync.Pool)}
}

func promised[A, R any](name string) Probe[A, R] {
	return Probe[A, R]{Name: name, Await: true, spare: new(sync.Pool)}
}

// The probes.
var (
	// Hello installs nothing and changes nothing but the document's name: it says which document this
	// is. Nonce is taken as the document's name if it has none yet.
	Hello = named[HelloArgs, Document]("hello")
	// Guard reads what stands in the way: blockers by structure, never by words in an answer.
	Guard = named[None, GuardState]("guard")
	// Composer reads the input box and the send button.
	Composer = named[None, ComposerState]("composer")
	// Focus puts the caret at the end of the hydrated composer.
	Focus = named[None, Done]("focus")
	// Empty empties the composer through the editor's own input path.
	Empty = named[None, Done]("empty")
	// Fence arms the one-shot token for exactly this text in exactly this conversation and composer,
	// and starts the capture-phase listeners.
	Fence = named[FenceArgs, FenceState]("fence")
	// Revoke kills the token and reads fence, composer and submit counter in the same synchronous
	// call.
	Revoke = named[None, FenceState]("revoke")
	// Unfence removes the fence; a person may use the tab again.
	Unfence = named[None, Done]("unfence")
	// Tail lists the mounted turns after a given one, oldest first, at most Limit (the newest ones).
	Tail = named[TailArgs, TailState]("tail")
	// Turn reads the state of the answer to one user message.
	Turn = named[TurnArgs, TurnState]("turn")
	// Text reads one answer from the rendered DOM, as markdown.
	Text = named[MessageArgs, TextState]("text")
	// Copy presses the copy button of each code block of one answer, with the clipboard intercepted.
	Copy = promised[MessageArgs, CopyState]("copy")
	// Record reads the conversation from the server, with the page's own credentials.
	Record = promised[RecordArgs, RecordState]("record")
)

// None is the argument of a probe without one.
type None struct{}

// Done says that an act was done and verified.
type Done struct {
	OK     bool   `json:"ok"`
	Reason string `json:"reason,omitempty"` // why not
}

// HelloArgs offers a name for the document.
type HelloArgs struct {
	Nonce string `json:"nonce"`
}

// Document identifies a document. A new document (reload, navigation, crash) has a new name.
type Document struct {
	Name         string `json:"name"`
	URL          string `json:"url"`
	Conversation string `json:"conversation"` // id in the address; "" when none; transient ids too
	Ready        bool   `json:"ready"`        // document.readyState is not "loading"
}

// Blocker is what stops automation until a person acts (row 12).
type Blocker string

// The blockers.
const (
	NoBlocker      Blocker = ""
	BlockCaptcha   Blocker = "captcha"
	BlockLogin     Blocker = "login"      // logged out, session expired
	BlockRateLimit Blocker = "rate-limit" // "too many requests" dialog
	BlockUsageCap  Blocker = "usage-cap"  // a cap that refuses sends; a downgrade banner is none
	BlockAccount   Blocker = "account"    // suspicious activity, account locked
)

// GuardState is the answer of Guard.
type GuardState struct {
	Blocker Blocker `json:"blocker"`
	// the structure that showed it, e.g. "#challenge-form"
	Detail       string `json:"detail,omitempty"`
	LoggedIn     bool   `json:"loggedIn"` // positive proof in the page
	Composer     bool   `json:"composer"` // a hydrated composer is there
	Conversation string `json:"conversation"`
	Stop         bool   `json:"stop"` // a stop button stands in the composer form
}

// ComposerState is the answer of Composer.
type ComposerState struct {
	Hydrated bool    `json:"hydrated"` // the editor, not the fallback text area
	Focused  bool    `json:"focused"`
	Text     string  `json:"text"` // block children joined by "\n"
	Send     bool    `json:"send"` // the send button is in the document
	Enabled  bool    `json:"enabled"`
	Stop     bool    `json:"stop"`
	X        float64 `json:"x"` // centre of the send button in CSS pixels, when it is topmost there
	Y        float64 `json:"y"`
}

// FenceArgs puts up the fence for a text and arms its token.
type FenceArgs struct {
	Token string `json:"token"`
	Text  string `json:"text"`
	// Conversation is the one that the text is for, as the address names it; "" = none has an id yet.
	// In a tab that shows another one the token is not armed, and does not let anything through.
	Conversation string `json:"conversation"`
	Dead         bool   `json:"dead,omitempty"` // put it up, and let nothing of this text pass
}

// FenceState is what fence and composer are, read in one synchronous call.
type FenceState struct {
	Present  bool   `json:"present"`  // a fence of this document exists
	Document string `json:"document"` // the document's name
	Token    string `json:"token"`    // the token last armed
	Bound    string `json:"bound"`    // the conversation that it was armed for
	Live     bool   `json:"live"`     // it can still let one submit through
	Passed   int    `json:"passed"`   // submits of our text let through since this token was armed
	Stopped  int    `json:"stopped"`  // submits of our text swallowed since then
	Composer string `json:"composer"` // the composer's text at the same moment
	Holds    bool   `json:"holds"`    // the composer holds the fenced text, whole, in canonical form
	// Conversation is the one in the address at the same moment.
	Conversation string `json:"conversation"`
}

// TailArgs asks for turns after After ("" = all mounted), which is a message id or a turn id: a
// baseline is a message id where turns have one, because the record knows those as well.
type TailArgs struct {
	After string `json:"after"`
	Limit int    `json:"limit"`
}

// MountedTurn is one turn as the document shows it.
type MountedTurn struct {
	TurnID    string `json:"turnId"`
	MessageID string `json:"messageId"`
	Role      string `json:"role"` // "user" or "assistant"
	Head      string `json:"head"` // the first two lines of a user turn's text, at most 200 characters
}

// TailState is the answer of Tail.
type TailState struct {
	Found        bool          `json:"found"` // After is mounted (true when After is "")
	Turns        []MountedTurn `json:"turns"`
	Conversation string        `json:"conversation"`
}

// TurnArgs names the user message whose answer is wanted.
type TurnArgs struct {
	MessageID string `json:"messageId"`
}

// AnswerState is how far an answer is.
type AnswerState string

// What the document shows of the answer to our turn.
const (
	// our user turn is mounted, no assistant turn follows
	AnswerAbsent      AnswerState = "absent"
	AnswerPlaceholder AnswerState = "placeholder" // an empty assistant turn
	AnswerThinking    AnswerState = "thinking"    // no answer text, a thinking mark
	AnswerStreaming   AnswerState = "streaming"   // text, and a sign that more may come, or no bar
	AnswerFinished    AnswerState = "finished"    // text and the action bar on that turn, no stop
	AnswerError       AnswerState = "error"       // an error stands in that turn
	AnswerUnmounted   AnswerState = "unmounted"   // our user turn is not in the document
)

// TurnState is the answer of Turn.
type TurnState struct {
	State        AnswerState `json:"state"`
	MessageID    string      `json:"messageId"` // of the answer, when it has one
	Length       int         `json:"length"`    // characters of what Text would give
	Bar          bool        `json:"bar"`       // the action bar stands on that turn
	Stop         bool        `json:"stop"`
	Retry        bool        `json:"retry"`     // a Retry control stands there; it is never clicked
	Error        string      `json:"error"`     // its text, shortened, for the report only
	Truncated    bool        `json:"truncated"` // "Continue generating" stands there
	Conversation string      `json:"conversation"`
	Blocker      Blocker     `json:"blocker"` // seen in the same look
}

// MessageArgs names one message.
type MessageArgs struct {
	MessageID string `json:"messageId"`
}

// TextState is the answer of Text.
type TextState struct {
	Found bool   `json:"found"`
	Text  string `json:"text"` // markdown rebuilt from the DOM, code blocks fenced
	Bar   bool   `json:"bar"`
}

// CopyState is the answer of Copy.
type CopyState struct {
	Found  bool     `json:"found"`
	Blocks []string `json:"blocks"` // what each block's button wrote, fences excluded
	Failed int      `json:"failed"` // buttons that wrote nothing
}

// RecordArgs asks for a conversation. With After, only the messages behind it are returned.
type RecordArgs struct {
	Conversation string `json:"conversation"`
	After        string `json:"after"` // message id; "" = from the start
}

// RecordedMessage is one message of the current branch of the record.
type RecordedMessage struct {
	ID       string `json:"id"`
	Parent   string `json:"parent"`
	Role     string `json:"role"`
	Text     string `json:"text"`
	Finished bool   `json:"finished"` // status finished_successfully and end_turn (user turns: always)
	Final    bool   `json:"final"`    // an answer: channel final, recipient all, content type text
	Cut      bool   `json:"cut"`      // an answer that somebody stopped: it will not grow any more
}

// RecordState is the answer of Record.
type RecordState struct {
	Status   int  `json:"status"`   // HTTP status of the record; 0 when the fetch failed
	LoggedIn bool `json:"loggedIn"` // the session endpoint named a user
	// After is on the current branch (true when After is "")
	Found    bool              `json:"found"`
	Complete bool              `json:"complete"` // the chain reaches the root without a gap
	Messages []RecordedMessage `json:"messages"` // oldest first; hidden and system messages left out
}
