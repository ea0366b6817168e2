package trace

import "time"

// Direction says who sent a message, seen from the client that wrote the log.
type Direction string

// The directions.
const (
	Sent     Direction = "sent"     // by the client, to the browser
	Received Direction = "received" // from the browser
	Told     Direction = "told"     // the client, or the log, about the connection itself
)

// Kind is what an entry is.
type Kind string

// The kinds. The last four are told by the client.
const (
	Request   Kind = "request"
	Reply     Kind = "reply"     // a good answer
	Failure   Kind = "failure"   // an answer that is an error
	Event     Kind = "event"     //
	Opaque    Kind = "opaque"    // a message that the log cut or changed: not all of it is known
	Opened    Kind = "opened"    // a connection stands
	Closed    Kind = "closed"    // a connection ended; Code and Text say how, as far as known
	Reset     Kind = "reset"     // a connection was reset by the other side or on the way
	Complaint Kind = "complaint" // an error of the client or the driver
)

// Basis says what a Stamp rests on.
type Basis string

// The bases.
const (
	NoTime   Basis = "none"     // the log gives none: unknown, and nothing stands in its place
	Wall     Basis = "wall"     // a wall clock with its zone
	Local    Basis = "local"    // a wall clock whose zone the log does not say
	Relative Basis = "relative" // time since the first line of the log's own counter
)

// Stamp is when an entry was written, as far as its log tells. The zero value is not known.
type Stamp struct {
	Basis Basis         `json:"basis"`
	At    time.Time     `json:"at,omitzero"`    // for Wall and Local (as if it were UTC)
	Since time.Duration `json:"since,omitzero"` // for Relative, in nanoseconds
}

// Known tells whether the log gives a time.
func (s Stamp) Known() bool { return s.Basis != NoTime && s.Basis != "" }

// String is the time for a person; "?" when the log gives none.
func (s Stamp) String() string {
	switch s.Basis {
	case Wall:
		return s.At.UTC().Format("15:04:05.000")
	case Local:
		return s.At.Format("15:04:05.000") + "?"
	case Relative:
		return "+" + s.Since.String()
	}
	return "?"
}

// Entry is one message of a log, in the form that all formats share.
type Entry struct {
	Line    int       `json:"line"` // where it begins, from 1; in a JSON document the element's line
	At      Stamp     `json:"at"`
	Dir     Direction `json:"dir"`
	Kind    Kind      `json:"kind"`
	Socket  string    `json:"socket,omitempty"`  // which connection; "" when the log has one only
	Session string    `json:"session,omitempty"` // as the log has it; "" is the browser itself
	Method  string    `json:"method,omitempty"`  // of a reply: that of its request, when it is known
	ID      int64     `json:"id,omitempty"`
	Target  string    `json:"target,omitempty"` // that the message is about
	Code    int64     `json:"code,omitempty"`   // of an error, of a close
	Text    string    `json:"text,omitempty"`   // an error's message, a reason; without secrets

	hasID bool
}

// Strange is a line that was not understood.
type Strange struct {
	Line int    `json:"line"`
	Want string `json:"want"` // what was expected there
	Text string `json:"text"` // its beginning, without secrets
}

// Log is an imported log.
type Log struct {
	File    string  `json:"file"`
	Format  string  `json:"format"` // the id in the table of formats
	Entries []Entry `json:"entries"`
	// Losses are the disconnects, in order of their lines; Disconnect says which one matters.
	Losses []Loss `json:"losses"`
	// Strange are the first MaxStrange lines that were not understood, NotUnderstood counts all.
	Strange       []Strange `json:"strange"`
	NotUnderstood int       `json:"notUnderstood"`
	// Stopped is where the log stops in the middle of a message; nil when it is whole.
	Stopped *Strange `json:"stopped,omitempty"`
	// Notes are what the format cannot tell, and what was read on purpose in one way only.
	Notes []string `json:"notes,omitempty"`
	Lines int      `json:"lines"`
}
