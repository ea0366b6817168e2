package bridge

import (
	"context"
	"fmt"
	"strings"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/page"
	"bridgesim/bridge/point"
	"bridgesim/bridge/session"
)

// attached makes sure that a page of ours is at hand: connection, tab, probe, composer.
func (r *relay) attached(ctx context.Context) error {
	if r.page != nil {
		return nil
	}
	if err := r.connected(ctx); err != nil {
		return err
	}
	id, err := r.tab(ctx)
	if err != nil {
		return err
	}
	p, err := page.Attach(ctx, r.b, id, r.pageConfig())
	if err != nil {
		return fmt.Errorf("attaching to tab %s: %w", id, err)
	}
	s := r.state()
	p.Pin(s.Conversation, s.Last.MessageID)
	r.page = p
	return p.Ready(ctx)
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
// that the journal names, else it opens one of its own.
func (r *relay) tab(ctx context.Context) (browser.TargetID, error) {
	pages, err := page.Pages(ctx, r.b, r.pageConfig())
	if err != nil {
		return "", err
	}
	if id, own, ok := r.pick(pages); ok {
		return id, r.useTab(id, own)
	}
	id, err := page.OpenConversation(ctx, r.b, r.pageConfig(), r.state().Conversation)
	if err != nil {
		return "", err
	}
	return id, r.useTab(id, true)
}

// pick chooses among the open tabs. A tab that shows another conversation is never taken.
func (r *relay) pick(pages []browser.TargetInfo) (id browser.TargetID, own, ok bool) {
	s := r.state()
	for _, p := range pages {
		mine := string(p.ID) == s.TargetID
		if s.Conversation != "" && page.ConversationOf(r.cfg.Site, p.URL) == s.Conversation ||
			mine && s.Conversation == "" && strings.HasPrefix(p.URL, r.cfg.Site) {
			return p.ID, mine && s.OwnTarget, true
		}
	}
	return "", false, false
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
		Round: func() int { return r.state().Round },
	}
}

// call makes one browser-level call under its own deadline.
func (r *relay) call(ctx context.Context, op point.Op, f func(context.Context) error) error {
	r.cfg.Tracer.Op(op, r.state().Round)
	ctx, cancel := r.cfg.Clock.WithTimeout(ctx, r.cfg.Tuning.Page.CallDeadline)
	defer cancel()
	return f(ctx)
}

// drop forgets page and connection after a loss: every id that it made void goes with it.
func (r *relay) drop() {
	if r.page != nil {
		_ = r.page.Close() // the session is gone already or is given up: nothing to report
		r.page = nil
	}
	if r.b != nil && r.b.Lost() != nil {
		_ = r.b.Close() // same
		r.b = nil
	}
}

// detach ends the run's connection. A tab of the user stays as it is; an own tab is closed when the
// session has ended for good, and stays when a person or a later run needs it (readings 23, B67).
func (r *relay) detach(ctx context.Context) {
	if r.page != nil {
		_ = r.page.Close() // leaving: a failed detach changes nothing for the tab
	}
	if r.b == nil {
		return
	}
	s := r.state()
	if s.OwnTarget && s.Phase == session.PhaseClosed {
		_ = r.call(ctx, point.ClosePage, func(ctx context.Context) error {
			return r.b.CloseTarget(ctx, browser.TargetID(s.TargetID))
		}) // best effort: a tab left open is harmless, a failed run is not
	}
	_ = r.b.Close() // leaving
}
