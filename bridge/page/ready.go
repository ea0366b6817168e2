package page

import (
	"context"
	"errors"
	"strings"

	"bridgesim/bridge/page/probe"
	"bridgesim/bridge/point"
)

// Ready waits until the page takes text: the right address, a hydrated composer of that document
// and a proof that somebody is logged in. readyState says nothing, and a guest's composer looks
// ready.
//
// Errors: *BlockedError, *ConversationError when the tab went to another site or, at the limit,
// shows another conversation, *NotReadyError at the limit, *browser.Loss.
func (p *Page) Ready(ctx context.Context) error {
	w := p.pace(p.cfg.Tuning.ReadyLimit)
	from := p.cfg.Clock.Now()
	for {
		g, err := ask(ctx, p, point.Ready, probe.Guard, probe.None{})
		if err != nil && !errors.Is(err, ErrDocument) {
			return err
		}
		why := "the document is being replaced"
		if err == nil {
			why = p.missing(&g)
		}
		mayClear := g.Blocker == probe.BlockCaptcha &&
			p.cfg.Clock.Now().Sub(from) < p.cfg.Tuning.ClearLimit
		switch {
		case g.Blocker != probe.NoBlocker && !mayClear:
			return blocked(&g)
		case p.elsewhere():
			return &ConversationError{Want: p.pinned, Seen: p.document.URL}
		case why == "":
			return nil
		case w.over() && p.left(&g):
			return &ConversationError{Want: p.pinned, Seen: g.Conversation}
		case w.over():
			return &NotReadyError{Why: why}
		}
		if err := w.wait(ctx); err != nil {
			return err
		}
	}
}

// elsewhere: the tab went to another site. A blank page and one of the browser's own are on their
// way to ours.
func (p *Page) elsewhere() bool {
	scheme, _, _ := strings.Cut(p.document.URL, ":")
	switch scheme {
	case "http", "https", "data", "file":
		return !strings.HasPrefix(p.document.URL, p.cfg.Site)
	}
	return false
}

// left: the page stands, and shows another conversation.
func (p *Page) left(g *probe.GuardState) bool {
	return Durable(p.pinned) && g.Conversation != p.pinned && g.Composer && g.LoggedIn
}

// missing says what keeps the page from taking text, "" when nothing does.
func (p *Page) missing(g *probe.GuardState) string {
	switch {
	case g.Blocker != probe.NoBlocker:
		return "a challenge stands there"
	case Durable(p.pinned) && g.Conversation != p.pinned:
		return "the address is not that of the conversation"
	case !g.Composer:
		return "there is no hydrated composer; reload the page if it stays so"
	case !g.LoggedIn:
		return "nothing proves that somebody is logged in; log in and try again"
	}
	return ""
}

func blocked(g *probe.GuardState) error {
	return &BlockedError{Blocker: g.Blocker, Detail: g.Detail}
}

// Guard reads what stands in the way, now.
func (p *Page) Guard(ctx context.Context) (probe.GuardState, error) {
	return ask(ctx, p, point.GuardCheck, probe.Guard, probe.None{})
}

// clear demands that nothing keeps a message from being typed or submitted at this moment.
func (p *Page) clear(ctx context.Context, op point.Op) error {
	g, err := ask(ctx, p, op, probe.Guard, probe.None{})
	if err != nil {
		return err
	}
	nameless := !Durable(p.pinned) && p.mine != "" // the address alone does not tell
	if g.Blocker == probe.NoBlocker && (nameless || g.Conversation != p.pinned) {
		if err := p.another(ctx, g.Conversation); err != nil {
			return err
		}
		// The guard stays the last look before the act.
		if g, err = ask(ctx, p, op, probe.Guard, probe.None{}); err != nil {
			return err
		}
	}
	switch {
	case g.Blocker != probe.NoBlocker:
		return blocked(&g)
	case g.Conversation != p.pinned:
		return &ConversationError{Want: p.pinned, Seen: g.Conversation}
	case g.Stop:
		return &NotReadyError{Why: "an answer is still being written"}
	}
	if why := p.missing(&g); why != "" {
		return &NotReadyError{Why: why}
	}
	return nil
}

// another looks whether a different address is still our conversation: the server's id may have
// replaced a transient one, or none. It is ours only if it shows the last message that was proven
// ours; so is an address that names nothing.
func (p *Page) another(ctx context.Context, seen string) error {
	if p.mine == "" || Durable(p.pinned) {
		return p.follow(seen, false)
	}
	t, err := ask(ctx, p, point.GuardCheck, probe.Tail, probe.TailArgs{After: p.mine, Limit: 1})
	switch {
	case err != nil:
		return err
	case !t.Found:
		return &ConversationError{Want: p.pinned, Seen: t.Conversation}
	}
	return p.follow(t.Conversation, true)
}
