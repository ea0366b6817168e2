package recovery

import "strings"

// Act is what a verdict says to do next.
type Act uint8

// The acts, from the least bold to the boldest. Look, and everything before it, changes nothing
// that the other side, the agent or the site could see.
const (
	Throw    Act = iota // stop automation loudly (row 15)
	GiveUp              // stop and leave it to a person
	Look                // attach, discover, read, ask the agent; then decide again
	Retry               // the same round: re-read, wait, choose a trustworthy source
	Continue            // the same round goes on where it was; a valid PLAN that is there is consumed
	Resume              // RESUME at the last confirmed checkpoint
	Resync              // RESYNC: declare contract and capabilities again
	actEnd
)

var actNames = [actEnd]string{"throw", "give up", "look", "retry", "continue", "RESUME", "RESYNC"}

// String is the act's name.
func (a Act) String() string { return actNames[a] }

// Deed is something that an act may do and a row may forbid.
type Deed uint16

// The deeds that the column "Forbidden" speaks of.
const (
	SendRepair     Deed = 1 << iota // blame the other side
	SendRound                       // send a ROUND again, or a blind one
	Advance                         // go to the next round
	NewHello                        // declare a new session
	SendResync                      // declare static text again
	NewSID                          // another identity
	Replay                          // run an unconfirmed plan again
	Guess                           // assume that the latest PLAN ran, or did not
	ExecuteFirst                    // execute a new PLAN before the contract is in force again
	Pretend                         // act as if the old ACK still held
	PickBranch                      // choose one of two histories
	Loop                            // reconnect and try again without end
	PassBoundary                    // go on although a boundary was hit
	TreatAsNetwork                  // take a software bug for a network fault
	deedEnd
)

var deedNames = []struct {
	deed Deed
	name string
}{
	{SendRepair, "REPAIR"},
	{SendRound, "ROUND resend"},
	{Advance, "advance the round"},
	{NewHello, "new HELLO"},
	{SendResync, "RESYNC"},
	{NewSID, "new sid"},
	{Replay, "replay"},
	{Guess, "guess whether it ran"},
	{ExecuteFirst, "execute a new PLAN first"},
	{Pretend, "pretend the old ACK holds"},
	{PickBranch, "pick a branch"},
	{Loop, "reconnect loop"},
	{PassBoundary, "bypass a boundary"},
	{TreatAsNetwork, "treat a bug as a network fault"},
}

// String lists the deeds.
func (d Deed) String() string {
	var parts []string
	for _, n := range deedNames {
		if d&n.deed != 0 {
			parts = append(parts, n.name)
		}
	}
	return strings.Join(parts, ", ")
}

// deeds is what each act does of all that. Looking reconnects; everything that goes on relies on
// the old ACK, on the checkpoint, and passes whatever boundary stands.
var deeds = [actEnd]Deed{
	Throw:    0,
	GiveUp:   0,
	Look:     TreatAsNetwork | Loop,
	Retry:    TreatAsNetwork | Loop | PassBoundary | Pretend,
	Continue: TreatAsNetwork | Loop | PassBoundary | Pretend | PickBranch | ExecuteFirst | Guess,
	Resume:   TreatAsNetwork | Loop | PassBoundary | Pretend | PickBranch,
	Resync:   TreatAsNetwork | Loop | PassBoundary | PickBranch | SendResync,
}

// Deeds is what the act does.
func (a Act) Deeds() Deed { return deeds[a] }
