package fakesite

import "time"

// Role says who wrote a message.
type Role string

// The two roles that a person sees.
const (
	User      Role = "user"
	Assistant Role = "assistant"
)

// Post is one send, as the page's POST /backend-api/f/conversation carries it.
type Post struct {
	ConversationID string // "" in a new chat
	MessageID      string // made by the client; request, DOM and record hold the same value
	ParentID       string
	Text           string
	Temporary      bool
	// TransientID is the client's own id of a new chat, for /c/WEB:<id>; "" lets the site make one.
	TransientID string
}

// Message is one node of a conversation's record. An answer's Text is the whole text that the
// persona will have written in the end; At tells how much of it stands at a moment.
type Message struct {
	ID      string
	Parent  string
	TurnID  string
	Role    Role
	Text    string
	Created time.Time
	Course  Course // of an answer: how it comes into being; zero for user messages

	// Preamble is commentary of an answer, written before the long thinking (channel "commentary",
	// a markdown root of its own). It stands from Thinking on and is never part of Text.
	Preamble string
	// Alternative is the second response that a person must choose between; "" without one.
	Alternative string
	// Truncated: the answer hit the output cap. It looks finished, and "Continue generating" stands
	// there.
	Truncated bool
}

// AnswerState is how far an answer is on the server.
type AnswerState string

// States of an answer, in their order; Failed is an end as well.
const (
	Waiting   AnswerState = "waiting"   // accepted, nothing written yet
	Thinking  AnswerState = "thinking"  // reasoning, no answer text
	Streaming AnswerState = "streaming" // text is growing
	Complete  AnswerState = "complete"  // finished_successfully, end_turn
	Failed    AnswerState = "failed"    // ended with an error, whole or partial
	Stopped   AnswerState = "stopped"   // somebody pressed stop; the text that stood then stays
)

// Ended reports whether nothing more will come.
func (s AnswerState) Ended() bool { return s == Complete || s == Failed || s == Stopped }

// Progress is the state of an answer at one moment.
type Progress struct {
	State AnswerState
	Shown int       // bytes of Text that stand, always at a rune boundary
	Next  time.Time // when it changes next; zero when it does not change any more
}

// Refusal is why the site does not take a send.
type Refusal string

// The refusals, named after the site's own error bodies.
const (
	Taken           Refusal = ""
	RefusedLogin    Refusal = "unauthorized"         // 401
	RefusedCaptcha  Refusal = "challenge"            // 403 with cf-mitigated
	RefusedUnusual  Refusal = "unusual_activity"     // 403
	RefusedRate     Refusal = "too_many_requests"    // 429
	RefusedCap      Refusal = "model_cap_exceeded"   // 429 with clears_in
	RefusedTooLong  Refusal = "message_length"       // 413
	RefusedServer   Refusal = "internal_error"       // 500
	RefusedNotFound Refusal = "conversation_missing" // 404
	RefusedBusy     Refusal = "generating"           // 409: the turn before is unfinished
)
