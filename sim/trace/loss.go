package trace

import (
	"fmt"
	"regexp"
	"strings"
)

// Break is what broke.
type Break string

// What can break, from the socket inwards.
const (
	SocketLost    Break = "socket lost"     // the connection ended
	TargetCrashed Break = "target crashed"  // the renderer is gone
	TargetGone    Break = "target closed"   // the tab is gone
	Detached      Break = "detached"        // the session ended, the target may live
	SessionGone   Break = "session unknown" // the browser does not know the session any more
	Reported      Break = "reported"        // the client says so; the log has no line of its own
	LogEnds       Break = "log ends"        // calls are open where the log ends
)

// Side is where it broke, as far as the log can tell.
type Side string

// The sides.
const (
	SideBrowser Side = "browser"
	SideTarget  Side = "target"
	SideClient  Side = "client"
	SideOther   Side = "another client"
	SideUnknown Side = "unknown"
)

// Confidence says how sure a finding is.
type Confidence string

// The confidences, from the strongest.
const (
	Certain Confidence = "certain" // a line says it
	Likely  Confidence = "likely"  // a line says what follows from it
	Guess   Confidence = "guess"   // nothing says it; something is missing
)

var strength = map[Confidence]int{Certain: 3, Likely: 2, Guess: 1}

// Flight is a call that was under way at a loss.
type Flight struct {
	Line    int    `json:"line"`
	ID      int64  `json:"id,omitempty"`
	Session string `json:"session,omitempty"`
	Method  string `json:"method"`
	At      Stamp  `json:"at"`
	// Answer is what came back for it behind the loss: "" for nothing.
	Answer     string `json:"answer,omitempty"`
	AnswerLine int    `json:"answerLine,omitempty"`
}

// Loss is one disconnect.
type Loss struct {
	Break    Break  `json:"break"`
	Side     Side   `json:"side"`
	Line     int    `json:"line"` // of the line that shows it
	At       Stamp  `json:"at"`
	Socket   string `json:"socket,omitempty"`
	Session  string `json:"session,omitempty"`
	Target   string `json:"target,omitempty"`
	CameBack string `json:"cameBack"` // what the client got to know, "" for nothing
	Code     int64  `json:"code,omitempty"`

	InFlight []Flight `json:"inFlight"` // the first MaxFlights
	Open     int      `json:"open"`     // how many there were

	Confidence Confidence `json:"confidence"`
	Reason     string     `json:"reason"`
	// Echoes are later lines that follow from it.
	Echoes []int `json:"echoes,omitempty"`
}

// MaxFlights is how many calls under way are listed for one loss.
const MaxFlights = 50

// maxLosses is how many losses of one log are kept; the first ones matter.
const maxLosses = 200

// Disconnect is the loss that matters: the first of the surest. Nil when there is none.
func (l *Log) Disconnect() *Loss {
	var best *Loss
	for i := range l.Losses {
		c := &l.Losses[i]
		if best == nil || strength[c.Confidence] > strength[best.Confidence] {
			best = c
		}
	}
	return best
}

// search goes through a log once.
type search struct {
	log     *Log
	found   []Loss
	at      []int             // index of the entry of each loss
	answers []int             // for a request the index of its answer, or -1
	own     map[string]int    // sessions, targets and sockets that the client ended by itself
	target  map[string]string // of a session
	quit    map[string]bool   // sockets on which the client closed the browser
	// attached are the targets that had a session.
	attached map[string]bool
}

func findLosses(l *Log) []Loss {
	s := &search{
		log: l, own: map[string]int{}, target: map[string]string{}, quit: map[string]bool{},
		attached: map[string]bool{},
	}
	s.pair()
	for i := range l.Entries {
		s.look(i, &l.Entries[i])
		if len(s.found) == maxLosses {
			break
		}
	}
	s.end()
	s.flights()
	if s.found == nil {
		return []Loss{}
	}
	return s.found
}

// pair finds the answer of every request.
func (s *search) pair() {
	s.answers = make([]int, len(s.log.Entries))
	open := map[key]int{}
	for i := range s.log.Entries {
		s.answers[i] = -1
		e := &s.log.Entries[i]
		k := key{e.Socket, e.Session, e.ID}
		if e.Method == "Target.attachToTarget" || strings.HasPrefix(e.Method, "Target.") {
			k.session = "" // their session is the one that they are about
		}
		switch {
		case !e.hasID:
		case e.Dir == Sent:
			open[k] = i
		default:
			if at, ok := open[k]; ok {
				s.answers[at] = i
				delete(open, k)
			}
		}
	}
}

// look asks one entry whether it tells of a loss.
func (s *search) look(i int, e *Entry) {
	if e.Dir == Sent {
		s.sent(e)
		return
	}
	switch {
	case e.Kind == Closed || e.Kind == Reset:
		s.closed(i, e)
	case e.Kind == Complaint:
		s.complained(i, e)
	case e.Kind == Failure:
		s.failed(i, e)
	case e.Method == "Target.attachedToTarget":
		s.target[e.Session], s.attached[e.Target] = e.Target, true
	case e.Kind == Event || e.Kind == Opaque:
		s.event(i, e)
	}
}

// sent remembers what the client ends on purpose.
func (s *search) sent(e *Entry) {
	switch e.Method {
	case "Browser.close", methodQuit:
		s.quit[e.Socket] = true
		s.log.Notes = append(s.log.Notes, fmt.Sprintf("the client closed the browser itself (line %d): "+
			"what ends behind it is no disconnect", e.Line))
	case "Target.closeTarget", "Page.close":
		s.own["target "+e.Target] = e.Line
		s.own["session "+e.Session] = e.Line
	case "Target.detachFromTarget":
		s.own["session "+e.Session] = e.Line
	}
}

// ownEnd tells whether the client itself ended what e is about.
func (s *search) ownEnd(e *Entry) bool {
	if s.quit[e.Socket] {
		return true
	}
	if t := s.target[e.Session]; t != "" && s.own["target "+t] > 0 {
		return true
	}
	return e.Session != "" && s.own["session "+e.Session] > 0 ||
		e.Target != "" && s.own["target "+e.Target] > 0
}

func (s *search) event(i int, e *Entry) {
	n := Loss{Side: SideTarget, Confidence: Certain, CameBack: e.Method}
	if e.Text != "" {
		n.CameBack += ": " + e.Text
	}
	switch e.Method {
	case "Inspector.targetCrashed", "Target.targetCrashed":
		n.Break, n.Reason = TargetCrashed, "the browser says that the target crashed"
	case "Inspector.detached":
		n.Break, n.Reason = Detached, "the browser ended the session and gives its reason"
		n.Side = detachedBy(e.Text)
	case "Target.detachedFromTarget":
		n.Break, n.Confidence = Detached, Likely
		n.Side = SideUnknown
		n.Reason = "a session ended that the client had not ended itself"
	case "Target.targetDestroyed":
		n.Break, n.Confidence = TargetGone, Likely
		n.Reason = "a target is gone that the client had not closed itself"
		if !s.attached[e.Target] {
			return // nobody was attached to it
		}
	default:
		return
	}
	if e.Method != "Inspector.targetCrashed" && e.Method != "Target.targetCrashed" && s.ownEnd(e) {
		return
	}
	s.add(i, e, n)
}

func detachedBy(reason string) Side {
	low := strings.ToLower(reason)
	switch {
	case strings.Contains(low, "render process"), strings.Contains(low, "target_closed"),
		strings.Contains(low, "target closed"):
		return SideTarget
	case strings.Contains(low, "replaced"), strings.Contains(low, "user"):
		return SideOther
	case strings.Contains(low, "connection"):
		return SideBrowser
	}
	return SideUnknown
}

func (s *search) closed(i int, e *Entry) {
	if s.quit[e.Socket] {
		return
	}
	n := Loss{Break: SocketLost, Side: SideUnknown, Confidence: Certain, CameBack: e.Text}
	switch {
	case e.Kind == Reset:
		n.Reason = "the socket could not be read or written any more"
	case e.Code == 1000:
		n.Confidence, n.Reason = Likely, "the connection was closed in order (1000) and nobody had asked"
	case e.Code == 1001:
		n.Side, n.Reason = SideBrowser, "the other side went away (1001)"
	case e.Code == 1006:
		n.Reason = "the connection ended without a close frame (1006): browser, machine or network"
	default:
		n.Reason = "the log says that the connection ended"
	}
	s.add(i, e, n)
}

// gone are errors that say that session or target are not there.
var gone = regexp.MustCompile(`(?i)session with given id not found|no target with given id|` +
	`target closed|target crashed|inspected target navigated or closed|not attached to an active page`)

func (s *search) failed(i int, e *Entry) {
	if e.Code != -32001 && !gone.MatchString(e.Text) || s.ownEnd(e) {
		return
	}
	n := Loss{
		Break: SessionGone, Side: SideUnknown, Confidence: Likely, CameBack: e.Text,
		Reason: "the browser does not know the session or target of this call any more; " +
			"when it went, the log does not say",
	}
	s.add(i, e, n)
}

// surely are complaints that name the lost connection; the others only hint at it.
var (
	surely = regexp.MustCompile(`(?i)not connected to DevTools|closed the connection|` +
		`lost the connection to the browser|use of closed network connection|connection reset|` +
		`broken pipe|websocket.*clos|TargetCloseError|Target crashed|page crash|disconnected|` +
		`Session closed|invalid session id|Unable to receive message`)
	perhaps = regexp.MustCompile(`(?i)context (?:canceled|deadline)|\bEOF\b|Timed out receiving|` +
		`executor for "|window was closed|ws error|ECONNRESET|1006`)
)

func (s *search) complained(i int, e *Entry) {
	if s.quit[e.Socket] {
		return
	}
	n := Loss{Break: Reported, Side: SideUnknown, CameBack: e.Text}
	switch {
	case surely.MatchString(e.Text):
		n.Confidence, n.Reason = Likely, "the client says that the connection or the target is gone"
	case perhaps.MatchString(e.Text):
		n.Confidence = Guess
		n.Reason = "the client gave up; that the connection is gone, nothing says"
	default:
		return
	}
	s.add(i, e, n)
}
