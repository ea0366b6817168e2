package page

import (
	"context"
	"errors"
	"strings"

	"github.com/chromedp/cdproto"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/clock"
	"bridgesim/bridge/page/probe"
	"bridgesim/bridge/point"
)

// Page is one attached page. It is used by one flow of control at a time.
type Page struct {
	cfg      Config
	session  browser.Session
	target   browser.TargetID
	document probe.Document
	// pinned is the session's conversation: "" until one is known, a transient id until the server's
	// own replaces it.
	pinned string
	// shown is the conversation that the last baseline was read in.
	shown string
	// mine is the last message of ours that was proven sent; a page that shows it is ours.
	mine string
	// shows: the last look saw our last message; seen: the document in which one did.
	shows  bool
	seen   string
	events []browser.Event // buffer of drain
}

// Attach makes a session on a tab, puts the probe into its document and names the document.
func Attach(
	ctx context.Context, b browser.Browser, id browser.TargetID, cfg Config,
) (*Page, error) {
	p := &Page{cfg: cfg.withDefaults(), target: id}
	p.cfg.op(point.Attach)
	call, cancel := p.cfg.Clock.WithTimeout(ctx, p.cfg.Tuning.CallDeadline)
	defer cancel()
	s, err := b.Attach(call, id)
	if err != nil {
		return nil, err
	}
	p.session = s
	if err := p.install(ctx); err != nil {
		_ = s.Close() // the reason of the failure is what the caller must hear
		return nil, err
	}
	return p, nil
}

// install puts the script into the document and learns the document's name. A tab that was just
// opened shows a blank document until the site's takes its place; that takes the script away and is
// no loss: nothing of ours was in it.
func (p *Page) install(ctx context.Context) error {
	for n := 1; ; n++ {
		d, err := p.greet(ctx)
		if err == nil {
			p.document = d
			return nil
		}
		if n == documents || !replaced(err) {
			return err
		}
	}
}

// documents that may come one after the other while the script is put in: the blank one, the
// site's, and one that the site sends the tab on to.
const documents = 3

func (p *Page) greet(ctx context.Context) (probe.Document, error) {
	p.cfg.op(point.Install)
	if err := p.put(ctx); err != nil {
		return probe.Document{}, err
	}
	nonce := clock.Hex(p.cfg.Entropy, 8)
	return once(ctx, p, point.Install, probe.Hello, probe.HelloArgs{Nonce: nonce})
}

func (p *Page) put(ctx context.Context) error {
	call, cancel := p.cfg.Clock.WithTimeout(ctx, p.cfg.Tuning.CallDeadline)
	defer cancel()
	return probe.DoInstall(call, p.session)
}

// ask makes one probe call. In a document without our script it installs the script and asks again,
// once: no probe submits anything, so asking again is always allowed. A new document is not asked
// but reported (ErrDocument): what was known of the old one does not hold there.
func ask[A, R any](
	ctx context.Context, p *Page, op point.Op, pr probe.Probe[A, R], args A,
) (R, error) {
	r, err := once(ctx, p, op, pr, args)
	if err == nil || !replaced(err) {
		return r, err
	}
	before := p.document.Name
	if err := p.install(ctx); err != nil {
		return r, err
	}
	if p.document.Name != before {
		return r, ErrDocument
	}
	return once(ctx, p, op, pr, args)
}

func once[A, R any](
	ctx context.Context, p *Page, op point.Op, pr probe.Probe[A, R], args A,
) (R, error) {
	p.cfg.op(op)
	call, cancel := p.cfg.Clock.WithTimeout(ctx, p.cfg.Tuning.CallDeadline)
	defer cancel()
	return probe.Do(call, p.session, pr, args)
}

// replaced: the document holds no script, or a navigation took its context away under the call
// (Chromium answers such an evaluate with an error of the protocol, not with a value).
func replaced(err error) bool {
	var protocol *cdproto.Error
	return errors.Is(err, probe.ErrNoProbe) ||
		errors.As(err, &protocol) && protocol.Code == codeServer && !isLoss(err)
}

// codeServer is Chromium's code for what cannot be done now: here, a context that is gone. Any
// other code means that the command itself was wrong.
const codeServer = -32000

func isLoss(err error) bool {
	_, lost := browser.AsLoss(err)
	return lost
}

// Target is the tab.
func (p *Page) Target() browser.TargetID { return p.target }

// Session is the session below, for acts that are no page operations (reload, navigate).
func (p *Page) Session() browser.Session { return p.session }

// Document is the document as it was when the script was last put in. Another name than before
// means that the document was replaced.
func (p *Page) Document() probe.Document { return p.document }

// Lost is nil while the session lives.
func (p *Page) Lost() error { return p.session.Lost() }

// Close detaches and leaves the tab as it is.
func (p *Page) Close() error {
	p.cfg.op(point.ClosePage)
	return p.session.Close()
}

// Conversation is the conversation that this page is held to: "" before one is known.
func (p *Page) Conversation() string { return p.pinned }

// Pin holds the page to a conversation; every later look refuses another one (readings 23). mine is
// a message of ours in it, "" when none is proven yet.
func (p *Page) Pin(conversation, mine string) { p.pinned, p.mine = conversation, mine }

// Transient reports whether a conversation id is the page's own stand-in until the server's
// arrives.
func Transient(conversation string) bool { return strings.HasPrefix(conversation, "WEB:") }

// Durable reports whether an id names a conversation on the server.
func Durable(conversation string) bool { return conversation != "" && !Transient(conversation) }

// follow compares the conversation that a look saw with the pinned one. ours says that the look saw
// our own turn there: only then may a new id replace none or a transient one.
func (p *Page) follow(seen string, ours bool) error {
	switch {
	case seen == p.pinned:
	case !Durable(p.pinned) && ours && seen != "":
		p.pinned = seen
	case !Durable(p.pinned) && seen == "":
	default:
		return &ConversationError{Want: p.pinned, Seen: seen}
	}
	return nil
}
