package bridge

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/page"
	"bridgesim/bridge/point"
	"bridgesim/bridge/recovery"
	"bridgesim/bridge/session"
)

// attached makes sure that a page of ours is at hand: connection, tab, probe, composer.
func (r *relay) attached(ctx context.Context) error {
	if r.page == nil {
		if err := r.reach(ctx); err != nil {
			return err
		}
	}
	if r.mind.ready {
		return nil
	}
	if err := r.page.Ready(ctx); err != nil {
		return err
	}
	if err := r.recognise(ctx); err != nil {
		return err
	}
	r.settleIn(r.page)
	return nil
}

// reach attaches to the tab of our conversation, whether it takes text yet or not.
func (r *relay) reach(ctx context.Context) error {
	if err := r.connected(ctx); err != nil {
		return err
	}
	id, err := r.tab(ctx)
	if err != nil {
		return err
	}
	p, err := r.attach(ctx, id)
	if err != nil {
		return fmt.Errorf("attaching to tab %s: %w", id, err)
	}
	r.page, r.mind.ready = p, false
	s := r.state()
	p.Pin(s.Conversation, s.Last.MessageID)
	p.Remember(r.mind.seen)
	return nil
}

// settleIn remembers what was found in place of what was lost.
func (r *relay) settleIn(p *page.Page) {
	s, m := r.state(), &r.mind
	switch {
	case m.named == p.Target() && m.target == "":
		m.place = recovery.Somewhere // this process opened it and never knew where it was before
	case m.opened, m.target == "" && s.TargetID != string(p.Target()),
		m.target != "" && m.target != p.Target():
		m.place = recovery.Relaunched
	case m.document != "" && m.document != p.Document().Name:
		m.place = recovery.Reloaded
	default:
		m.place = recovery.SameTab
	}
	m.target, m.document, m.opened, m.ready = p.Target(), p.Document().Name, false, true
}

func (r *relay) connected(ctx context.Context) error {
	if r.b != nil && r.b.Lost() == nil {
		return nil
	}
	return r.call(ctx, point.Connect, func(ctx context.Context) (err error) {
		r.b, err = r.cfg.Browser.Dial(ctx)
		return err
	})
}

// tab finds the tab of our conversation by its id, never by title or order; else it takes the tab
// that the journal names, else it opens one of its own. What was sent into a tab that is gone, and
// never had an address, cannot be found again.
func (r *relay) tab(ctx context.Context) (browser.TargetID, error) {
	r.mind.opened = false
	pages, err := page.Pages(ctx, r.b, r.pageConfig())
	if err != nil {
		return "", err
	}
	if id, own, ok := r.pick(pages); ok {
		return id, r.useTab(id, own)
	}
	s := r.state()
	if s.Conversation == "" && s.Last.Kind != "" && s.Last.Send != session.NotSent {
		return "", errNowhere
	}
	return r.ownTab(ctx)
}

// ownTab opens a tab of ours at the conversation, or at a new chat.
func (r *relay) ownTab(ctx context.Context) (browser.TargetID, error) {
	conversation := r.state().Conversation
	if conversation == "" {
		conversation = r.cfg.Conversation
	}
	id, err := page.OpenConversation(ctx, r.b, r.pageConfig(), conversation)
	if err != nil {
		return "", err
	}
	r.mind.opened = true
	return id, r.useTab(id, true)
}

// pick chooses among the open tabs. A tab that shows another conversation is never taken. While no
// id names ours, the tab that it was begun in may have got its address since; only the process that
// began the session knows that nothing was sent from there.
func (r *relay) pick(pages []browser.TargetInfo) (id browser.TargetID, own, ok bool) {
	s := r.state()
	want := s.Conversation
	if want == "" {
		want = r.cfg.Conversation
	}
	for _, p := range pages {
		mine := string(p.ID) == s.TargetID && p.ID != r.mind.avoid
		if want != "" && page.ConversationOf(r.cfg.Site, p.URL) == want ||
			mine && want == "" && strings.HasPrefix(p.URL, r.cfg.Site) &&
				(!r.mind.began || r.nameless() || page.ConversationOf(r.cfg.Site, p.URL) == "") {
			return p.ID, mine && s.OwnTarget, true
		}
	}
	return "", false, false
}

// attach makes the session. A crashed or hanging tab is mended; one that stays dead is left behind,
// closed if it is our own, and the conversation is opened anew.
func (r *relay) attach(ctx context.Context, id browser.TargetID) (*page.Page, error) {
	p, err := page.Attach(ctx, r.b, id, r.pageConfig())
	if err == nil || !dead(err) || r.b.Lost() != nil {
		return p, err
	}
	address := page.Address(r.cfg.Site, r.state().Conversation)
	if merr := page.Mend(ctx, r.b, id, r.pageConfig(), address); merr == nil {
		return page.Attach(ctx, r.b, id, r.pageConfig())
	}
	if r.state().Conversation == "" || r.b.Lost() != nil {
		return nil, err
	}
	r.closeOwn(ctx)
	if id, err = r.ownTab(ctx); err != nil {
		return nil, err
	}
	return page.Attach(ctx, r.b, id, r.pageConfig())
}

// dead tells whether the tab is there and its renderer is not.
func dead(err error) bool {
	return errors.Is(err, browser.ErrTargetCrashed) || errors.Is(err, browser.ErrTargetWedged) ||
		errors.Is(err, browser.ErrSilent)
}

func (r *relay) useTab(id browser.TargetID, own bool) error {
	if s := r.state(); s.TargetID == string(id) && s.OwnTarget == own {
		return nil
	}
	return r.j.Write(session.Record{
		Kind: session.RecTarget, TargetID: string(id), OwnTarget: own,
	})
}

func (r *relay) pageConfig() page.Config {
	return page.Config{
		Clock: r.cfg.Clock, Entropy: r.cfg.Entropy, Tracer: r.cfg.Tracer,
		Site: r.cfg.Site, Tuning: r.cfg.Tuning.Page,
		Round: r.round,
	}
}

// round is the round that an operation belongs to: that of the message on its way, else the
// current.
func (r *relay) round() int {
	if r.mind.sending > 0 {
		return r.mind.sending
	}
	return r.state().Round
}

// call makes one browser-level call under its own deadline.
func (r *relay) call(ctx context.Context, op point.Op, f func(context.Context) error) error {
	r.cfg.Tracer.Op(op, r.round())
	ctx, cancel := r.cfg.Clock.WithTimeout(ctx, r.cfg.Tuning.Page.CallDeadline)
	defer cancel()
	return f(ctx)
}

// drop forgets the page after a loss, and the connection too unless it proves to be alive: every id
// that a loss made void goes with it.
func (r *relay) drop() {
	if r.page != nil {
		r.mind.seen = r.page.Seen()
		_ = r.page.Close() // the session is gone already or is given up: nothing to report
		r.page = nil
	}
	if r.b != nil {
		_ = r.b.Close() // same; dialling anew costs a millisecond and proves the browser
		r.b = nil
	}
}

// closeOwn closes the tab in use if the bridge opened it.
func (r *relay) closeOwn(ctx context.Context) {
	s := r.state()
	if !s.OwnTarget {
		return
	}
	_ = r.call(ctx, point.ClosePage, func(ctx context.Context) error {
		return r.b.CloseTarget(ctx, browser.TargetID(s.TargetID))
	}) // best effort: a tab left open is harmless, a failed run is not
}

// detach ends the run's connection. The fence goes, so that a person may use the tab. A tab of the
// user stays as it is; an own tab is closed when the session has ended for good, and stays when a
// person or a later run needs it (readings 23, B67).
func (r *relay) detach(ctx context.Context) {
	if r.page != nil {
		if r.state().Last.Kind != "" && r.page.Lost() == nil {
			_ = r.page.Unfence(ctx) // leaving: a fence without its token stops nothing but our own text
		}
		_ = r.page.Close() // leaving: a failed detach changes nothing for the tab
	}
	if r.b == nil {
		return
	}
	if r.state().Phase == session.PhaseClosed {
		r.closeOwn(ctx)
	}
	_ = r.b.Close() // leaving
}
