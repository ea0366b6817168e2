package bridge

import (
	"context"
	"fmt"

	"bridgesim/bridge/page"
	"bridgesim/bridge/page/probe"
	"bridgesim/bridge/recovery"
	"bridgesim/bridge/session"
)

// nameless: something of ours is out, and no id of the server's says where (readings 10). The page
// can then not be held to a conversation by its address.
func (r *relay) nameless() bool {
	s := r.state()
	return s.Conversation == "" && s.Last.Kind != "" && s.Last.Send != session.NotSent
}

// recognise finds out whether the page at hand shows our conversation, while nothing names it. A
// page that proves to show another one is left: what was sent into it cannot be found again.
func (r *relay) recognise(ctx context.Context) error {
	r.mind.same = recovery.Yes
	if !r.nameless() {
		return nil
	}
	r.mind.same = recovery.Unknown
	view, err := r.page.Recognise(ctx, r.submission(), r.state().Last.MessageID)
	switch {
	case err != nil:
		return err
	case view == page.ViewOther:
		return errNowhere
	case view == page.ViewOurs:
		r.mind.same = recovery.Yes
		return r.converse(r.page.Conversation())
	}
	return nil
}

// same is what is known of the page at hand when something fails: whether it shows our
// conversation, and where that is. Without an id it must have shown our message in the last look,
// or be looked at: a new chat that nothing of ours is in may have become somebody else's.
func (r *relay) same() (recovery.Fact, recovery.Place) {
	if r.state().Conversation == "" && !r.page.Shows() {
		return recovery.Unknown, recovery.Somewhere
	}
	return recovery.Yes, r.mind.place
}

// sighted judges the page that a look has in front of it. One that neither shows our message nor
// another conversation may still come to show it, so it is looked at again until the budget ends.
func (r *relay) sighted(
	ctx context.Context, v recovery.Verdict, e *recovery.Evidence, g *probe.GuardState,
) error {
	err := r.held(g)
	if err == nil {
		err = r.unused(ctx)
	}
	if err != nil {
		return err
	}
	e.Same, e.Place = r.mind.same, r.mind.place
	if e.Same == recovery.Yes {
		return nil
	}
	e.Place = recovery.Somewhere
	if err := r.spend(ctx, rowOrFirst(v)); err != nil || !r.spent() {
		return err
	}
	return errLeft
}

// held refuses a page that shows another conversation than the known one, or any while nothing of
// ours is out. Only the process that began the session knows that.
func (r *relay) held(g *probe.GuardState) error {
	want := r.state().Conversation
	fresh := want == "" && r.mind.began && !r.nameless() && page.Durable(g.Conversation)
	if fresh || page.Durable(want) && g.Conversation != want {
		return &page.ConversationError{Want: want, Seen: g.Conversation}
	}
	return nil
}

// unused refuses a new chat in which somebody wrote before anything of ours went out.
func (r *relay) unused(ctx context.Context) error {
	if !r.mind.began || r.nameless() || r.state().Conversation != "" {
		return nil
	}
	t, err := r.page.Mounted(ctx, "")
	if err != nil || len(t.Turns) == 0 {
		return err
	}
	return r.taken(&page.ConversationError{Seen: t.Turns[0].TurnID})
}

// stays looks at the page once more after all that was read and asked meanwhile: a person may have
// opened another conversation there, or a blocker came up.
func (r *relay) stays(ctx context.Context) error {
	g, err := r.guard(ctx)
	if err != nil {
		return err
	}
	return r.held(&g)
}

// guard reads what stands in the way; a blocker is an error.
func (r *relay) guard(ctx context.Context) (probe.GuardState, error) {
	g, err := r.page.Guard(ctx)
	if err == nil && g.Blocker != "" {
		err = &page.BlockedError{Blocker: g.Blocker, Detail: g.Detail}
	}
	return g, err
}

// errLeft: the budget is spent, and the page is left.
var errLeft = fmt.Errorf("%w; the page is left as it is", page.ErrUnseen)
