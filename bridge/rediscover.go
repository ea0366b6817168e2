package bridge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/page"
	"bridgesim/bridge/page/probe"
	"bridgesim/bridge/point"
	"bridgesim/bridge/recovery"
	"bridgesim/bridge/session"
	"bridgesim/bridge/wire"
)

// found is a conversation that holds a HELLO for our request.
type found struct {
	target       browser.TargetInfo
	conversation string
	past         recovery.Past
}

// rediscover rebuilds a session whose journal is gone from the conversation that holds our HELLO:
// the one that was named, else the one open tab whose record has our QID (readings 18). Several are
// a person's choice. None means that nothing was ever sent: the session begins.
func (r *relay) rediscover(ctx context.Context) (Report, bool, error) {
	all, err := r.candidates(ctx)
	if conflict := (*recovery.Conflict)(nil); errors.As(err, &conflict) {
		return r.undecided(conflict.Error(), "read the conversation, and begin a new session"), true, nil
	}
	if err != nil {
		return Report{}, false, err
	}
	switch {
	case len(all) > 1:
		why := fmt.Sprintf("%d open conversations hold a HELLO for this request", len(all))
		return r.undecided(why, "name the right one with --conversation"), true, nil
	case len(all) == 0:
		r.note(point.NoteInfo, "journal", "there is none, and nothing leads back: a session begins")
		r.mind.held = true
		return Report{}, false, r.begin()
	}
	how := "the one open tab with a HELLO for this request"
	if r.cfg.Conversation != "" {
		how = "the one that was named"
	}
	r.note(point.NoteInfo, "journal",
		"there is none; conversation "+all[0].conversation+" decides, "+how)
	return Report{}, false, r.rebuild(&all[0])
}

// undecided is the end where nobody can tell which history counts: no branch is picked (row 10).
func (r *relay) undecided(why, next string) Report {
	rep := Report{Outcome: Manual, Row: 10, Reason: why, Next: next}
	r.note(point.NoteOutcome, string(rep.Outcome), rep.Reason)
	return rep
}

// candidates reads the record of every open conversation of the site.
func (r *relay) candidates(ctx context.Context) ([]found, error) {
	if err := r.connected(ctx); err != nil {
		return nil, err
	}
	tabs, err := page.Pages(ctx, r.b, r.pageConfig())
	if err != nil {
		return nil, err
	}
	if r.cfg.Conversation != "" {
		tabs, err = r.named(ctx, tabs)
		if err != nil {
			return nil, err
		}
	}
	var all []found
	for _, t := range tabs {
		f, ok, err := r.inspect(ctx, t)
		if err != nil {
			return nil, err
		}
		if ok {
			all = append(all, f)
		}
	}
	return all, nil
}

// named keeps the tab of the named conversation, opened if it is not there.
func (r *relay) named(
	ctx context.Context, tabs []browser.TargetInfo) ([]browser.TargetInfo, error,
) {
	for _, t := range tabs {
		if page.ConversationOf(r.cfg.Site, t.URL) == r.cfg.Conversation {
			return []browser.TargetInfo{t}, nil
		}
	}
	id, err := page.OpenConversation(ctx, r.b, r.pageConfig(), r.cfg.Conversation)
	if err != nil {
		return nil, err
	}
	r.mind.named = id
	return []browser.TargetInfo{{
		ID: id, URL: page.Address(r.cfg.Site, r.cfg.Conversation),
	}}, nil
}

// inspect reads one tab's conversation. A tab that shows somebody else's is left alone; one whose
// address names none may hold a HELLO that is on its way.
func (r *relay) inspect(ctx context.Context, t browser.TargetInfo) (found, bool, error) {
	conversation := page.ConversationOf(r.cfg.Site, t.URL)
	if conversation == "" && !strings.HasPrefix(t.URL, r.cfg.Site) {
		return found{}, false, nil
	}
	p, err := page.Attach(ctx, r.b, t.ID, r.pageConfig())
	if err != nil {
		return found{}, false, err
	}
	defer func() { _ = p.Close() }() // reading only: leaving changes nothing
	if !page.Durable(conversation) {
		if conversation, err = r.begunIn(ctx, p); err != nil || conversation == "" {
			return found{}, false, err
		}
	}
	turns, rec, err := p.Chain(ctx, conversation)
	if err != nil || rec.Status != 200 || !rec.Complete || len(turns) == 0 {
		return found{}, false, err
	}
	past, err := recovery.Read(links(turns))
	mine := past.QID == wire.QID(r.cfg.Request) && past.SID != ""
	if err != nil && mine {
		return found{}, false, err
	}
	return found{target: t, conversation: conversation, past: past}, mine, nil
}

// begunIn is the conversation that a HELLO began in a tab whose address names none yet; "" when
// none went out there. A HELLO for our request that is still in the composer cannot go out
// afterwards: nobody remembers it, so its token is revoked.
func (r *relay) begunIn(ctx context.Context, p *page.Page) (string, error) {
	pause, limit := r.cfg.Tuning.Page.PollMin, r.cfg.Clock.Now().Add(r.cfg.Tuning.AnswerLimit)
	for looks := 0; ; looks++ {
		t, err := p.Mounted(ctx, "")
		if err != nil || page.Durable(t.Conversation) {
			return t.Conversation, err
		}
		if looks == 0 && !greets(t.Turns) {
			if passed, err := r.passed(ctx, p); err != nil || !passed {
				return "", err
			}
		}
		if r.cfg.Clock.Now().After(limit) {
			return "", errUnnamed
		}
		if err := r.cfg.Clock.Sleep(ctx, pause); err != nil {
			return "", err
		}
		pause = min(2*pause, r.cfg.Tuning.Page.PollMax)
	}
}

// errUnnamed ends a resumption that cannot know yet where its session is.
var errUnnamed = errors.New("a HELLO went out in an open tab, and its conversation " +
	"has no address yet: wait for it, then resume")

// greets tells whether a message of a user begins as a HELLO does.
func greets(turns []probe.MountedTurn) bool {
	return slices.ContainsFunc(turns, func(t probe.MountedTurn) bool {
		kind, ours := wire.HeaderOf(t.Head)
		return t.Role == "user" && ours && kind == wire.KindHello
	})
}

// passed tells whether a HELLO for our request left the composer of this tab through its fence.
func (r *relay) passed(ctx context.Context, p *page.Page) (bool, error) {
	draft, err := p.Draft(ctx)
	if err != nil {
		return false, err
	}
	m, err := wire.ParseMessage(draft)
	if err != nil || m.Kind != wire.KindHello || m.QID != wire.QID(r.cfg.Request) {
		return false, nil // somebody else's text, or none
	}
	f, err := p.Revoke(ctx)
	return f.Passed > 0, err
}

// rebuild writes a new journal from what the record proves, at once: with half of it the next
// process would believe that nothing was sent yet.
func (r *relay) rebuild(f *found) error {
	o := wire.NewOffer(f.past.SID, r.cfg.Request, r.cfg.Objective, r.cfg.Capabilities, r.cfg.Denials)
	r.offer = o
	said := f.past.Offered
	records := []session.Record{
		{
			Kind: session.RecNew, SID: f.past.SID, Request: r.cfg.Request, Objective: r.cfg.Objective,
			QID: o.QID, Capabilities: r.cfg.Capabilities, Denials: r.cfg.Denials,
			HV: said.HV, CV: said.CV, Contract: said.Contract, Cap: said.Cap,
		},
		{
			Kind: session.RecTarget, TargetID: string(f.target.ID),
			OwnTarget: f.target.ID == r.mind.named,
		},
		{Kind: session.RecConversation, Conversation: f.conversation},
		{Kind: session.RecDisconnected, Loss: "cache-lost"},
		r.proven(&f.past),
	}
	r.mind.rebuilt = true
	return r.j.Rebuild(records)
}
