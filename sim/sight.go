package sim

import (
	"errors"
	"net/http"
	"strings"
	"sync"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/input"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/page/probe"
	"bridgesim/bridge/point"
	"bridgesim/sim/engine/virtual"
)

// eye is how the world looks at one process's connection, tab and document.
//
//	virtual   the model itself: exact
//	chromium  what went over the wire of this process, read past the bridge: answers and losses;
//	          and by a connection of the world's own which tabs there are and what address each shows
//
// Site, journal, agent, clock and processes have the same witnesses on both. Of the facts that come
// from here, what a page showed to pi (a blocker, a composer that takes nothing, a turn) is a
// matter of the wire on both. Where the conversation is can stay unknown on a real browser in one
// case: the tab hangs, and its conversation has no address yet; only the renderer, which does not
// answer, knows what it shows. A browser that is frozen tells nothing until it goes on. The world
// is then silent, and the oracles of row and evidence say that they do not know.
type eye interface {
	sight() sight
	// where tells whether a seat's tab shows the conversation now ("" is a new chat), and whether
	// it is the same document; known is false when nobody outside the browser can say.
	where(s seat, conversation string) (tab, document, known bool)
	// shows tells whether any tab shows the conversation.
	shows(conversation string) (yes, known bool)
	// posted tells whether a message went out from a seat's document.
	posted(s seat) bool
	// forget takes back what the last answer told: it never reached the process.
	forget()
}

// sight is what an eye sees at one moment.
type sight struct {
	attached bool   // a session lives, on a tab that has a renderer
	lost     bool   // the last command met a loss, or the session that was closed last was dead
	wrong    bool   // the last command was refused as a mistake of the caller
	blocked  bool   // the last answer that could show a blocker showed one
	named    string // the last id of the server's that an answer named
	ends     int    // readings of a record that showed a finished answer
	behind   bool   // the page takes no message, or does not show what the site has
	unread   bool   // the last reading of a record gave none
	sessions int    // attached so far
	at       seat   // what the living session is attached to
	seat     seat   // where a page last was ready for this process, or was worked with
}

// seat is one document in one tab; the zero value is none.
type seat struct {
	tab      browser.TargetID
	document any
}

// modelEye looks into the model.
type modelEye struct {
	b *virtual.Browser
	c *virtual.Client
}

func (m modelEye) sight() sight {
	s := m.c.Sight()
	return sight{
		attached: s.Attached, lost: s.Lost, wrong: s.Wrong, blocked: s.Blocker != probe.NoBlocker,
		named: s.Named, ends: s.Ends, behind: s.Behind, unread: s.Unread,
		sessions: s.Sessions, at: seatOf(s.At), seat: seatOf(s.Seat),
	}
}

func seatOf(s virtual.Seat) seat {
	if s.Tab == "" {
		return seat{}
	}
	return seat{s.Tab, s.Document}
}

func (m modelEye) where(s seat, conversation string) (tab, document, known bool) {
	d, _ := s.document.(virtual.Document)
	tab, document = m.b.Where(virtual.Seat{Tab: s.tab, Document: d}, conversation)
	return tab, document, true
}

func (m modelEye) shows(conversation string) (yes, known bool) {
	return m.b.Shows(conversation), true
}

func (m modelEye) posted(s seat) bool {
	d, _ := s.document.(virtual.Document)
	return m.b.Posted(virtual.Seat{Tab: s.tab, Document: d})
}

func (m modelEye) forget() { m.c.Forget() }

// wireEye reads along what goes between one process and a real browser, and asks the browser itself
// which tabs there are.
type wireEye struct {
	tabs *tabList // nil: nobody asks

	mu      sync.Mutex
	moved   bool // pi replaced the document of its tab since it was told about it
	s       sight
	before  sight            // the same before the last command
	session browser.Session  // attached last; nil when the process closed it
	name    string           // of the document that the session was told last
	shown   string           // the conversation that it showed last
	spoke   bool             // it told one
	seen    seat             // where that was
	struck  fate             // what a fault did to the tab since then
	astray  bool             // the composer does not hold the fenced text, which did not go out
	left    browser.TargetID // in it a person opened another chat; its own address may name none
}

// fate is what is known to have become of the tab in use.
type fate uint8

const (
	untouched fate = iota
	replaced       // the same tab, another document
	gone           // the tab, or what it shows
	doubtful       // it hangs: what it is like afterwards shows when it is attached to again
)

func (w *wireEye) sight() sight {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.s
	s.behind = s.behind || w.astray
	if w.session != nil {
		s.attached = w.session.Lost() == nil
		s.lost = s.lost || !s.attached
	}
	return s
}

// where holds what the tab told against what the browser says about it now.
func (w *wireEye) where(s seat, conversation string) (tab, document, known bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	tab, document, known = w.told(s, conversation)
	list, answered := w.list()
	if !answered {
		return tab, document, known
	}
	t := find(list, s.tab)
	switch {
	case t == nil:
		return false, false, true
	case w.tabs.shows(t, conversation) == elsewhere:
		return false, false, true
	case known && tab:
		return tab, document, true
	case w.tabs.shows(t, conversation) == silent:
		return tab, document, known
	}
	// It hangs, or somebody came back to the conversation: the address is right. The document is the
	// same until a command of pi or a fault replaced it.
	same := !w.moved && w.struck != replaced && (!known || w.seen.document == s.document)
	return true, same, true
}

// list is what the browser says; answered is false when nobody asks it, or it does not answer.
func (w *wireEye) list() (tabs []browser.TargetInfo, answered bool) {
	if w.tabs == nil {
		return nil, false
	}
	return w.tabs.tabs()
}

// told is what answers of the page and faults let one say of a seat.
func (w *wireEye) told(s seat, conversation string) (tab, document, known bool) {
	// What the tab told last holds until a fault strikes it, also when the process lets go of it.
	live := w.session != nil && w.session.Lost() == nil
	if w.spoke && (live || w.struck == untouched) {
		same := w.seen.tab == s.tab && w.shownAs(conversation) && !w.away(conversation)
		return same, same && w.seen.document == s.document, true
	}
	switch w.struck {
	case untouched:
		return true, true, true
	case replaced:
		return true, false, true
	case gone:
		return false, false, true
	}
	return false, false, false
}

// shownAs: before the server's id stood in the address once, the page may show none, or its own.
func (w *wireEye) shownAs(conversation string) bool {
	return w.shown == conversation || w.s.named != conversation &&
		(w.shown == "" || strings.HasPrefix(w.shown, "WEB:"))
}

// away: what the tab shows without a name is not the conversation that was left there. A new chat
// is as good as another while there is no conversation.
func (w *wireEye) away(conversation string) bool {
	return w.left != "" && w.left == w.seen.tab && conversation != "" && w.shown != conversation
}

// shows is asked for a process that had no page yet: its predecessor's tab is as faults left it.
func (w *wireEye) shows(conversation string) (yes, known bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	yes, known = w.struck == untouched || w.struck == replaced, w.struck != doubtful
	list, answered := w.list()
	if !answered {
		return yes, known
	}
	nameless := false
	for i := range list {
		switch w.tabs.shows(&list[i], conversation) {
		case ours:
			return true, true
		case silent:
			nameless = true
		}
	}
	if nameless { // one of them may be it: it has no address yet
		return yes, known
	}
	return false, true
}

// leave notes that a person opened another chat in the tab.
func (w *wireEye) leave() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.left = w.s.at.tab
}

// strike notes what a fault did to the tab.
func (w *wireEye) strike(f fate) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.struck = max(w.struck, f)
}

// attached begins a session.
func (w *wireEye) attached(s browser.Session, id browser.TargetID) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.session, w.name, w.spoke, w.astray = s, "", false, false
	w.s.sessions++
	w.s.at = seat{tab: id}
}

// closing ends a session from the process's side.
func (w *wireEye) closing(s browser.Session) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.session == s {
		w.s.lost = w.s.lost || s.Lost() != nil
		w.session, w.s.at = nil, seat{}
	}
}

// begun notes that a command is sent.
func (w *wireEye) begun(method string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.before = w.s
	w.moved = w.moved || method == "Page.reload" || method == "Page.navigate"
	if method == input.CommandDispatchMouseEvent {
		w.left = "" // what is sent now is sent from what the tab shows now
	}
}

// posted: who types into a page and presses its button sends from there, until a person leaves it
// for another chat.
func (w *wireEye) posted(s seat) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return s.tab != w.left
}

func (w *wireEye) forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	b := &w.before
	w.s.seat, w.s.named, w.s.ends, w.s.blocked = b.seat, b.named, b.ends, b.blocked
}

// ended notes how a command ended.
func (w *wireEye) ended(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var refused *cdproto.Error
	_, w.s.lost = browser.AsLoss(err)
	w.s.wrong = !w.s.lost && errors.As(err, &refused) && refused.Code != -32000 &&
		refused.Code != -32001
}

// answered reads an answer of the page. One of a document without our script tells nothing.
func (w *wireEye) answered(op point.Op, result any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch r := result.(type) {
	case *probe.Reply[probe.Document]:
		if !r.Missing {
			w.name, w.s.at.document = r.Value.Name, r.Value.Name
			w.show(r.Value.Conversation)
		}
	case *probe.Reply[probe.GuardState]:
		if !r.Missing {
			w.s.blocked = r.Value.Blocker != probe.NoBlocker
			w.s.behind = !r.Value.Composer || !r.Value.LoggedIn || r.Value.Stop
			w.show(r.Value.Conversation)
			w.settled(!preparing(op) ||
				op == point.Ready && r.Value.Composer && r.Value.LoggedIn && !w.s.blocked)
		}
	case *probe.Reply[probe.RecordState]:
		if !r.Missing {
			w.s.unread = r.Value.Status != http.StatusOK || !r.Value.LoggedIn
			m := r.Value.Messages
			if n := len(m); n > 0 && m[n-1].Final && m[n-1].Finished {
				w.s.ends++
			}
		}
	case *probe.Reply[probe.ComposerState]:
		if !r.Missing {
			w.s.behind = !r.Value.Enabled
		}
	case *probe.Reply[probe.FenceState]:
		if !r.Missing {
			w.astray = r.Value.Present && r.Value.Passed == 0 && !r.Value.Holds
		}
	case *probe.Reply[probe.TurnState]:
		if !r.Missing {
			w.s.behind = r.Value.State != probe.AnswerFinished
			w.s.blocked = r.Value.Blocker != probe.NoBlocker
			w.show(r.Value.Conversation)
			w.settled(!preparing(op))
		}
	case *probe.Reply[probe.TailState]:
		if !r.Missing {
			w.s.behind = op == point.SendProve && len(r.Value.Turns) == 0
			w.show(r.Value.Conversation)
			w.settled(!preparing(op))
		}
	}
}

// preparing: the operation prepares a page; the process does not work with it yet.
func preparing(op point.Op) bool {
	return op == point.Attach || op == point.Install || op == point.Ready || op == point.Mend
}

// show notes the conversation in an answer.
func (w *wireEye) show(conversation string) {
	w.shown, w.spoke, w.seen, w.moved = conversation, true, w.s.at, false
	if conversation != "" && !strings.HasPrefix(conversation, "WEB:") {
		w.s.named = conversation
	}
}

// settled: the page is ready for this process, or it works with it.
func (w *wireEye) settled(yes bool) {
	if yes && w.name != "" {
		w.s.seat, w.struck = w.s.at, untouched
	}
}
