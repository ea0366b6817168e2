package bridge

import (
	"context"
	"errors"

	"bridgesim/bridge/agent"
	"bridgesim/bridge/clock"
	"bridgesim/bridge/point"
	"bridgesim/bridge/session"
	"bridgesim/bridge/wire"
)

// Refusals to begin; nothing was sent and nothing was written.
var (
	// ErrOtherRequest is the refusal to resume with another request.
	ErrOtherRequest = errors.New("one sid serves one request: this session was begun with another")
	// ErrBegun is the refusal to run a session that has begun: it is resumed.
	ErrBegun = errors.New("this state folder holds a session that has begun; resume it")
)

// open begins a session in an empty store.
func open(cfg Config) (*relay, error) {
	r, err := reopen(cfg)
	if err != nil {
		return nil, err
	}
	if r.state().SID != "" {
		return nil, ErrBegun
	}
	r.mind.held = true
	return r, r.begin()
}

// reopen takes up the journal as it is.
func reopen(cfg Config) (*relay, error) {
	if err := cfg.fill(); err != nil {
		return nil, err
	}
	j, err := session.Open(cfg.Store, cfg.Clock, cfg.Tracer)
	if err != nil {
		return nil, err
	}
	r := &relay{cfg: cfg, j: j}
	s := r.state()
	if j.Torn() {
		r.note(point.NoteInfo, "journal", "its last record was cut short: the act behind it never began")
	}
	if s.SID == "" {
		return r, nil
	}
	if cfg.Request != "" && cfg.Request != s.Request {
		return nil, ErrOtherRequest
	}
	r.cfg.Request = s.Request
	r.offer = wire.NewOffer(s.SID, s.Request, s.Objective, cfg.Capabilities, cfg.Denials)
	return r, nil
}

// recall is reopen for a session that goes on. A journal that is damaged counts as lost (readings
// 18): it is taken out of the way, kept for a person to look at, and the conversation's history
// decides.
func recall(cfg Config) (*relay, error) {
	r, err := reopen(cfg)
	anew, can := cfg.Store.(session.Rewriter)
	if !errors.Is(err, session.ErrCorrupt) || !can {
		return r, err
	}
	kept, aside := anew.SetAside()
	if aside != nil {
		return nil, errors.Join(err, aside)
	}
	if r, err = reopen(cfg); err == nil {
		r.note(point.NoteInfo, "journal", "damaged, counts as lost; kept as "+kept)
	}
	return r, err
}

// begin writes the identity of a new session. The sid is generated once per logical session.
func (r *relay) begin() error {
	cfg := &r.cfg
	if cfg.Request == "" {
		return errors.Join(ErrConfig, errors.New("it needs a request"))
	}
	sid := clock.Hex(cfg.Entropy, 8)
	o := wire.NewOffer(sid, cfg.Request, cfg.Objective, cfg.Capabilities, cfg.Denials)
	r.offer, r.mind.began = o, true
	return r.j.Write(session.Record{
		Kind: session.RecNew, SID: sid, Request: cfg.Request, Objective: cfg.Objective,
		QID: o.QID, Capabilities: cfg.Capabilities, Denials: cfg.Denials,
		HV: o.HV, CV: o.CV, Contract: o.Contract, Cap: o.Cap,
	})
}

func (r *relay) askLookup(ctx context.Context, t agent.Task) (agent.State, error) {
	r.cfg.Tracer.Op(point.AgentLookup, t.Round)
	return r.cfg.Agent.Lookup(ctx, t)
}
