package virtual

import (
	"errors"
	"strings"

	"github.com/chromedp/cdproto"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/page/probe"
	"bridgesim/bridge/point"
)

// Sight is what the model knows of one client at one moment, for a world that holds it against what
// the client says about itself.
type Sight struct {
	Attached bool          // a session of the client lives, on a tab that has a renderer
	Lost     bool          // its last command met a loss, or the session that it closed last was dead
	Wrong    bool          // its last command was refused as a mistake of the caller
	Blocker  probe.Blocker // in the last answer that could show one
	Named    string        // the last id of the server's that an answer named
	Unread   bool          // the last reading of a record gave none
	Behind   bool          // the page of the last session takes no message, or lacks a turn
	Sessions int           // attached so far
	At       Seat          // what the living session is attached to; zero without one
	Seat     Seat          // where a page last was ready for the client, or was worked with
	Ends     int           // readings of a record that showed a finished answer
}

// Seat is one document in one tab.
type Seat struct {
	Tab      browser.TargetID
	Document Document
}

// Sight looks at the client now. Nothing changes by it.
func (c *Client) Sight() Sight {
	s := c.sight
	last := c.session
	if last == nil {
		return s
	}
	if s.Attached = last.lives(); s.Attached {
		s.At = Seat{last.tab.id, Document{last.tab.doc}}
	}
	s.Lost = s.Lost || last.dead()
	s.Behind = last.tab.doc.lags()
	return s
}

// lags: the page takes no message now, or does not show the newest turn that the site has.
func (d *document) lags() bool {
	if !d.hydrated() || !d.editable() || !d.frozenAt.IsZero() || d.astray() {
		return true
	}
	c := d.chat()
	if c == nil || c.Last() == nil {
		return false
	}
	p := c.Last().At(d.now())
	if !p.State.Ended() || d.choosing(c.Last(), p.State) {
		return true
	}
	return d.newest() != c.Last()
}

// astray: the composer does not hold the text that the fence is for, and it did not go out: it was
// wiped, or a person writes there.
func (d *document) astray() bool {
	f := d.fence
	return f != nil && f.passed == 0 && f.held(d.composerText()) != holdsWhole
}

// Where tells what became of a seat: whether its tab shows a conversation now ("" is a new chat),
// and whether it still does so in that document.
func (b *Browser) Where(s Seat, conversation string) (tab, document bool) {
	t := b.tab(s.Tab)
	if t == nil || !t.doc.shows(conversation) {
		return false, false
	}
	return true, t.doc == s.Document.d && !t.crashed
}

// Posted tells whether a message was sent from a seat's document, which may not know what became
// of it.
func (b *Browser) Posted(s Seat) bool { return s.Document.d != nil && s.Document.d.posted }

// Shows tells whether any tab shows a conversation.
func (b *Browser) Shows(conversation string) bool {
	for _, t := range b.tabs {
		if t.doc.shows(conversation) {
			return true
		}
	}
	return false
}

// shows: an address that names a conversation which the server does not know is no new chat.
func (d *document) shows(conversation string) bool {
	named := d.conversationID()
	foreign := conversation == "" && named != "" && !strings.HasPrefix(named, "WEB:")
	return d.site && d.conversation == conversation && !foreign
}

// lives: the browser would still answer this session.
func (s *Session) lives() bool {
	return s.loss == nil && s.conn.loss == nil && !s.conn.deaf && !s.tab.crashed
}

// dead: the session does not reach its document, and the client did not end it.
func (s *Session) dead() bool {
	if s.loss != nil {
		return !errors.Is(s.loss.Cause, errClosed)
	}
	return s.conn.deaf || s.tab.crashed || s.tab.hang != NoHang || s.tab.b.frozen
}

// Forget takes back what the last answer told the client: a fault kept it from arriving.
func (c *Client) Forget() {
	b := &c.before
	c.sight.Seat, c.sight.Named, c.sight.Ends, c.sight.Blocker = b.Seat, b.Named, b.Ends, b.Blocker
}

// ended notes how a command ended.
func (c *Client) ended(err error) {
	_, c.sight.Lost = browser.AsLoss(err)
	refused, ok := errors.AsType[*cdproto.Error](err)
	c.sight.Wrong = !c.sight.Lost && ok && refused.Code != -32000 && refused.Code != -32001
}

// sighted notes what an answer of a page told the client.
func (c *Call) sighted(d *document, value any) {
	if c.Session == nil {
		return
	}
	s := &c.Client.sight
	named, ready := "", !attaching(c.Op)
	switch v := value.(type) {
	case *probe.GuardState:
		s.Blocker, named = v.Blocker, v.Conversation
		ready = ready || c.Op == point.Ready && v.Composer && v.LoggedIn && v.Blocker == probe.NoBlocker
	case *probe.TurnState:
		s.Blocker, named = v.Blocker, v.Conversation
	case *probe.TailState:
		named = v.Conversation
	case *probe.RecordState:
		s.Unread = v.Status != 200 || !v.LoggedIn
		if n := len(v.Messages); n > 0 && v.Messages[n-1].Final && v.Messages[n-1].Finished {
			s.Ends++
		}
	}
	if named != "" && !strings.HasPrefix(named, "WEB:") {
		s.Named = named
	}
	if ready {
		s.Seat = Seat{c.Session.tab.id, Document{d}}
	}
}

// attaching: the operation prepares a page; the client does not work with it yet.
func attaching(op point.Op) bool {
	switch op {
	case point.Attach, point.Install, point.Ready, point.Mend:
		return true
	}
	return false
}
