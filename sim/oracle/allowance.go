package oracle

import (
	"time"

	"bridgesim/faults"
)

// Allowances: how much longer a run may take because of one fault, counted from the moment at which
// it is over. It is the way in which a loss shows that costs time, not the loss.
const (
	// atOnce: the loss is told. The first attempt does not pause; a page may have to load.
	atOnce = 20 * time.Second
	// byHeartbeat: nothing tells, the next heartbeat finds out.
	byHeartbeat = 15*time.Second + atOnce
	// byDeadline: a call waits for its deadline, and the tab is mended in further calls that may.
	byDeadline = 3*10*time.Second + atOnce
	// byProof: the send looks lost until the proof is found or its limit is over.
	byProof = 60*time.Second + atOnce
	// longestPause bounds what a back-off may add, with its jitter. A pause that doubles is never
	// longer than the pauses before it together, so an outage adds at most its own time.
	longestPause = 5*time.Minute + 75*time.Second
)

// allowances has a line for every kind of fault after which a bridge may have to complete.
var allowances = [...]struct {
	kind  faults.Kind
	takes time.Duration
	why   string
}{
	{faults.Sever, atOnce, "the socket ends"},
	{faults.HalfOpen, byHeartbeat, "nothing comes any more"},
	{faults.Stall, byDeadline, "nothing comes for a while"},
	{faults.Delay, byDeadline, "one answer may come behind its deadline"},
	{faults.DropCall, byDeadline, "one answer never comes"},
	{faults.Repeat, atOnce, "an answer comes twice"},
	{faults.Reorder, atOnce, "events come early"},
	{faults.Corrupt, atOnce, "an answer cannot be read"},
	{faults.CDPError, atOnce, "the browser says no"},
	{faults.Detach, atOnce, "the session is told that it is over"},
	{faults.CloseTab, atOnce, "the session is told that the tab is closed"},
	{faults.CrashTab, atOnce, "the session is told of the crash"},
	{faults.WedgeTab, byDeadline, "the page does not answer"},
	{faults.Reload, atOnce, "the document is another one"},
	{faults.Away, atOnce, "the document is another one"},
	{faults.SecondClient, atOnce, "somebody else uses the tab"},
	{faults.Switched, atOnce, "the next look shows another conversation"},
	{faults.Dialog, byDeadline, "the page does not answer"},
	{faults.KillBrowser, atOnce, "the socket ends"},
	{faults.Relaunch, atOnce, "the socket ends"},
	{faults.FreezeBrowser, byDeadline, "nothing comes for a while"},
	{faults.KillPi, atOnce, "the next process reads its journal"},
	{faults.LoseCache, atOnce, "the next process reads the record"},
	{faults.CorruptCache, atOnce, "the next process reads the record"},
	{faults.StaleCache, atOnce, "the next process reads the record"},
	{faults.TearCache, atOnce, "the next process reads its journal"},
	{faults.NewerCache, atOnce, "the next process refuses to begin"},
	{faults.ForeignCache, atOnce, "the next process reads the record"},
	{faults.ChangeCaps, atOnce, "the next process declares itself again"},
	{faults.DropMemory, atOnce, "the journal is written anew"},
	{faults.Captcha, atOnce, "the next look shows it"},
	{faults.Logout, atOnce, "the next look shows it"},
	{faults.RateLimit, atOnce, "the next look shows it"},
	{faults.UsageCap, atOnce, "the next look shows it"},
	{faults.AccountBlock, atOnce, "the next look shows it"},
	{faults.ServerError, byProof, "the send looks lost"},
	{faults.Accepted500, byProof, "the send looks lost and was not"},
	{faults.CutStream, byProof, "the turn ended without a reply: it is read until that is certain"},
	{
		faults.NeverAnswers, byProof,
		"an answer has no end: completing is never demanded while it is due",
	},
	{faults.DropMessage, byProof, "a message is in no record: same"},
	{faults.EditHistory, atOnce, "the next look shows it"},
	{faults.CutHistory, atOnce, "the next look shows it"},
	{faults.MissingTurn, atOnce, "the next look shows it"},
	{faults.CopyBroken, atOnce, "the other sources agree"},
	{faults.CopyStale, atOnce, "the other sources agree"},
	{faults.RecordDown, byDeadline, "the record is asked again every 30 seconds"},
	{faults.AgentDies, atOnce, "the next question to the agent shows it"},
	{faults.AgentMute, atOnce, "the agent is asked again"},
	{faults.Panic, atOnce, "the process is gone"},
}

// Allowance is how much longer a run may take because of a fault of a kind, from the moment on at
// which it is over, without what a back-off may have grown to meanwhile; 0 for a kind that is not
// known.
func Allowance(k faults.Kind) time.Duration {
	for i := range allowances {
		if allowances[i].kind == k {
			return allowances[i].takes
		}
	}
	return 0
}

// allowance is its kind's, and what a back-off may have grown to in its time.
func (f *struck) allowance() time.Duration {
	return Allowance(f.kind) + min(f.last-f.at, longestPause)
}
