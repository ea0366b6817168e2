package truth

// Line is whether the bridge's session still reaches the document that it was attached to.
type Line uint8

// The states of a line.
const (
	LineUp   Line = iota
	LineDown      // the socket, the session, the tab, the renderer or the browser is gone or dead
)

// Place is where the conversation lives now, compared with where the bridge last had it.
type Place uint8

// The places.
const (
	SameDocument Place = iota // the same document of the same tab
	NewDocument               // the same tab and conversation, in a document that replaced the old one
	NoTab                     // no tab shows it; the conversation has an address that the server knows
	NoAddress                 // temporary, or unknown to the server: nothing leads back
)

// Turn is how far the turn of the last message is at the site.
type Turn uint8

// The turns.
const (
	NoMessage    Turn = iota // nothing was sent yet
	NotTaken                 // the last message stands in no record
	Running                  // it stands there, its answer has not ended
	Finished                 // its answer is whole
	EndedWithout             // its answer ended with an error, was stopped, or was cut
)

// Journal is the state of pi's durable journal.
type Journal uint8

// The journals. A torn tail is a whole journal without its last line (readings 18).
const (
	JournalWhole   Journal = iota
	JournalNone            // never written, or removed
	JournalCorrupt         // counts as lost
	JournalStale           // an older one: the record extends it by valid links
	JournalNewer           // of a newer version: pi stops
	JournalForeign         // of another sid: pi refuses
)

// Record is what a reader of the conversation record gets.
type Record uint8

// The records.
const (
	RecordWhole  Record = iota // complete, the FRAME chain is ours
	RecordDown                 // it cannot be read now
	RecordGaps                 // read, but turns of the chain are missing
	RecordClash                // two histories: another sid, a regression, a jump, an unmatched p=
	RecordBehind               // whole, but it lacks turns that the journal names as sent
)

// Agent is what the agent's ledger says about the plan of the last round.
type Agent uint8

// The agents.
const (
	NeverClaimed Agent = iota // it never ran, or there is no plan
	Working                   // claimed and at work
	Settled                   // there is a receipt
	Gone                      // claimed, the process ended without a receipt
)

// Facts are what the world knows at one moment. Each field names its witness.
type Facts struct {
	Bug      bool // faults: a panic struck, or an invariant of pi was broken
	Boundary bool // clock and site ledger: rounds, wall time or time per round are used up
	Shown    bool // browser: the last probe answer to pi showed a blocker
	Spent    bool // store and clock: attempts or elapsed time of the episode are used up
	Refused  bool // site ledger: the last HELLO, RESUME or RESYNC got no valid ack
	Resynced bool // site ledger: that was the RESYNC
	Changed  bool // script: the versions of this pi differ from those acknowledged last
	Known    bool // site ledger: an ack was given, and memory, journal or a whole record holds it
	Certain  bool // sid and checkpoint follow from what memory, journal or record hold

	Memory  bool    // processes: this process of pi has run since the session began
	Journal Journal // store
	Record  Record  // site
	Agent   Agent   // agent ledger
	Mute    bool    // the agent cannot be asked
	Effects bool    // site ledger: the last plan has COMMANDS or FILES

	Line     Line  // browser: when the failure came
	Attached bool  // browser: a session of pi lives on a page now
	Ours     bool  // browser: that page shows our conversation
	Place    Place // browser and site
	Turn     Turn  // site
	Unproven bool  // store: the last message may have gone out, and nothing in the journal proves it
	Unread   bool  // browser: record and sources of the page give no trustworthy reply now
	Behind   bool  // browser: the page takes no message, or does not show what the site has
}

// stall is what stopped the relay, as the world sees it.
type stall uint8

const (
	nothing stall = iota
	bug
	refusal
	dropped
	unproven
	late
	unreadable
)

// stall reads the cause from the facts: what is deeper explains what is above.
func (f *Facts) stall() stall {
	switch {
	case f.Bug:
		return bug
	case f.Line == LineDown || f.Place != SameDocument:
		return dropped
	case f.Refused:
		return refusal
	case f.Turn == NotTaken || f.Unproven:
		return unproven
	case f.Turn == Running || f.Turn == EndedWithout:
		return late
	case f.Turn == Finished && f.Unread:
		return unreadable
	case f.Behind:
		return late
	}
	return nothing
}

// doubt: nobody can tell whether the last plan ran (readings 14). Only when memory is lost, or the
// agent ended without a receipt, and the answer to "did it run?" is started or none.
func (f *Facts) doubt() bool {
	if !f.Effects {
		return false
	}
	return f.Agent == Gone || f.Mute && !f.Memory
}

// conflict: there is no way to tell which history is authoritative.
func (f *Facts) conflict() bool {
	return !f.Memory &&
		(f.Record == RecordClash || f.Record == RecordBehind && f.Journal == JournalWhole)
}

// spent: the budget is used up, or RESYNC did not help either.
func (f *Facts) spent() bool { return f.Spent || f.Refused && f.Resynced }

// cached: the journal is there, trustworthy and as long as the conversation.
func (f *Facts) cached() bool { return f.Journal == JournalWhole }

// readable: the FRAME chain can be rebuilt from the record.
func (f *Facts) readable() bool { return f.Record == RecordWhole }
