package faults

import (
	"time"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/point"
)

// Kind is the name of a fault.
type Kind string

// The families are the files of this package; each has its table.
const (
	// transport
	Sever    Kind = "sever"     // the socket ends: RST, FIN or a close frame (Params.How)
	HalfOpen Kind = "half-open" // the socket stays open and nothing comes any more
	Stall    Kind = "stall"     // nothing comes for Params.For, then everything
	Delay    Kind = "delay"     // this one answer comes late by Params.For
	// this one command (before) or its answer (after) is lost, no loss is seen
	DropCall Kind = "drop"
	Repeat   Kind = "duplicate" // the answer comes twice
	Reorder  Kind = "reorder"   // events come before the answers that they followed
	Corrupt  Kind = "corrupt"   // the answer is not JSON
	CDPError Kind = "cdp-error" // the answer is a protocol error (Params.Code, Params.Text)

	// target
	Detach       Kind = "detach"              // the session is detached, the tab lives
	CloseTab     Kind = "close-tab"           // the tab is closed by somebody else
	CrashTab     Kind = "crash-tab"           // the renderer crashes
	WedgeTab     Kind = "wedge-tab"           // an endless loop in the renderer
	Reload       Kind = "reload"              // the page reloads
	Away         Kind = "navigate-away"       // the tab goes to another site
	SecondClient Kind = "second-client"       // another client attaches and uses the tab
	Switched     Kind = "switch-conversation" // the person opens another conversation in the tab
	Dialog       Kind = "dialog"              // a native dialog opens

	// browser
	KillBrowser Kind = "kill-browser" // SIGKILL, and nobody starts it again
	// SIGKILL, started again with the same profile after Params.For
	Relaunch      Kind = "relaunch"
	FreezeBrowser Kind = "freeze-browser" // SIGSTOP for Params.For; 0 = for good

	// pi
	KillPi       Kind = "kill-pi"       // pi dies here and is started again after Params.For
	LoseCache    Kind = "lose-cache"    // pi dies; its journal is gone when it starts again
	CorruptCache Kind = "corrupt-cache" // pi dies; a byte of its journal is wrong
	StaleCache   Kind = "stale-cache"   // pi dies; its journal is an older one (Params.Back records)
	TearCache    Kind = "tear-cache"    // pi dies in the middle of this durable write
	NewerCache   Kind = "newer-cache"   // pi dies; a newer version wrote the journal meanwhile
	ForeignCache Kind = "foreign-cache" // pi dies; its journal is that of another session
	ChangeCaps   Kind = "change-caps"   // pi dies; it starts again with other capabilities
	DropMemory   Kind = "drop-cache"    // the journal is removed while pi runs: memory is left

	// site
	Captcha      Kind = "captcha"
	Logout       Kind = "logout"
	RateLimit    Kind = "rate-limit"
	UsageCap     Kind = "usage-cap"
	AccountBlock Kind = "account-block"
	ServerError  Kind = "server-error"     // this send gets a 5xx, nothing was accepted
	Accepted500  Kind = "accepted-500"     // this send gets a 5xx, and it was accepted
	CutStream    Kind = "cut-stream"       // the answer ends in the middle
	NeverAnswers Kind = "never-answers"    // the answer never comes
	DropMessage  Kind = "drop-message"     // a good reply, and the message is in no record
	EditHistory  Kind = "edit-history"     // a message of the record is another text now
	CutHistory   Kind = "truncate-history" // the record ends earlier
	MissingTurn  Kind = "missing-turn"     // a message is missing from the record
	CopyBroken   Kind = "copy-broken"      // copy buttons write nothing
	CopyStale    Kind = "copy-stale"       // copy buttons write what an earlier answer held
	RecordDown   Kind = "record-down"      // the conversation record cannot be read for Params.For

	// agent
	AgentDies Kind = "agent-dies" // the agent's process ends without a receipt
	AgentMute Kind = "agent-mute" // the agent cannot be asked any more

	// software
	Panic Kind = "panic" // a bug of pi: it panics here
)

// Params are the fields of a fault; which of them a kind reads stands in the table.
type Params struct {
	How  string        `json:"how,omitempty"`  // sever: "rst", "fin" or "close"
	For  time.Duration `json:"for,omitempty"`  // how long; 0 = the kind's default, or for good
	Code int           `json:"code,omitempty"` // of a protocol error, of a close frame
	Text string        `json:"text,omitempty"` // of a protocol error; of an edited message
	Back int           `json:"back,omitempty"` // how many records or turns back
	Caps []string      `json:"caps,omitempty"` // the capabilities after change-caps
}

// Fault is one thing that goes wrong at one place.
type Fault struct {
	Kind   Kind          `json:"kind"`
	At     point.Address `json:"at"`
	Params Params        `json:"params,omitzero"`
}

// Schedule is what goes wrong in one run; the order does not matter, the addresses do.
type Schedule []Fault

// Duty is what a correct bridge must do about a fault.
type Duty string

// The duties.
const (
	Complete Duty = "complete" // the session reaches the end that it would have reached
	Stop     Duty = "stop"     // it stops with a named outcome, safely
	Either   Duty = "either"   // both are right; the table says why, and they are counted
)

// Aim is what of the bridge is struck: its connection, its session and its tab, as far as they
// exist.
type Aim struct {
	Browser browser.Browser // nil before the first dial
	Session browser.Session // nil before the first attach
	Target  browser.TargetID
}

// Striker is what an engine can do to the thing itself. Every method is called at the moment that
// the interposer chose, from inside the bridge's call; it returns when the effect can be observed
// from outside the bridge, with that observation as evidence in words.
type Striker interface {
	// Strike carries out a fault on the browser, the tab or the socket of this client.
	Strike(f Fault, at Aim) (evidence string, err error)
	// Late sends a command so that it takes effect only when its session is gone, and strikes: send
	// makes the bridge's call, lost is what the bridge gets from it. An error means that nothing
	// was sent; the interposer sends it then as usual.
	Late(f Fault, at Aim, send func() error) (lost error, evidence string, err error)
	// Heal undoes what can be undone (a freeze, a stall, a loop, a dead browser that is started
	// again); the interposer calls it when the fault's time is over. Permanent ones never heal.
	Heal(f Fault) (evidence string, err error)
	// Remote tells whether a loss takes a moment from the thing to the client, as on a real socket.
	Remote() bool
}
