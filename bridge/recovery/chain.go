package recovery

import (
	"fmt"

	"bridgesim/bridge/wire"
)

// Link is one message of ours in a conversation's history, with the reply that followed it.
type Link struct {
	Message   wire.Message
	MessageID string
	Digest    string // of the message's text
	Reply     string // "" while there is none
	Finished  bool   // the reply is whole
	Bad       bool   // it begins with our header and cannot be read
}

// Past is what a complete history proves about a session.
type Past struct {
	SID, QID string
	Offered  wire.Message // the last HELLO or RESYNC
	Acked    bool         // it was acknowledged validly
	Answered bool         // its turn has ended, with whatever answer
	Features []string
	HasHello bool

	Last      wire.Kind // ROUND or REPAIR, the last of them; HELLO before the first round
	LastID    string    // its message id
	Round     int       // L, the last ROUND; 0 before the first
	Repairs   int       // REPAIRs sent in that round
	Frame     wire.Frame
	CK        wire.Checkpoint // what p= of the last ROUND confirms
	ResumeCK  wire.Checkpoint // of the last RESUME that was acknowledged
	ResumeFor int             // its NEXT; 0 = none
	Plan      *wire.Plan      // the last valid one of round L; nil while there is none
	Said      []Said          // every RESUME and RESYNC behind Last, in order

	plans []planned
}

// Said is a message of ours that belongs to no round. Its turn may last, and it is never sent
// twice.
type Said struct {
	Message    wire.Message
	ID, Digest string
}

// planned is the last valid plan of one round.
type planned struct {
	round int
	key   string
}

// Conflict says why a history cannot be followed: no way to tell which branch is authoritative.
type Conflict struct{ Why string }

// Error names the contradiction.
func (c *Conflict) Error() string { return "the FRAME chain conflicts: " + c.Why }

// Read follows a history link by link (readings 17): r rises by 1, p never goes back and names a
// plan that was written, every sid and qid is the same. It fails with a *Conflict at the first link
// that breaks this; what stands before that link is returned all the same.
func Read(links []Link) (Past, error) {
	var p Past
	for i := range links {
		if err := p.add(&links[i]); err != nil {
			return p, err
		}
	}
	return p, nil
}

func (p *Past) add(l *Link) error {
	m := &l.Message
	if l.Bad {
		return &Conflict{"a message with our header cannot be read"}
	}
	if err := p.identity(m); err != nil {
		return err
	}
	switch m.Kind {
	case wire.KindHello, wire.KindResync:
		return p.declare(l)
	case wire.KindRound:
		return p.round(l)
	case wire.KindRepair:
		return p.repair(l)
	case wire.KindResume:
		return p.resume(l)
	}
	return nil
}

func (p *Past) identity(m *wire.Message) error {
	sid, qid := m.SID, m.QID
	if m.Kind == wire.KindRound || m.Kind == wire.KindRepair {
		sid, qid = m.Frame.SID, m.Frame.QID
	}
	switch {
	case p.SID == "":
		p.SID = sid
	case sid != p.SID:
		return &Conflict{fmt.Sprintf("sid %s beside %s", sid, p.SID)}
	}
	switch {
	case qid == "":
	case p.QID == "":
		p.QID = qid
	case qid != p.QID:
		return &Conflict{fmt.Sprintf("qid %s beside %s", qid, p.QID)}
	}
	return nil
}

func (p *Past) declare(l *Link) error {
	if l.Message.Kind == wire.KindHello {
		if p.HasHello || p.Round > 0 {
			return &Conflict{"a second HELLO"}
		}
		p.HasHello, p.Last, p.LastID = true, wire.KindHello, l.MessageID
	} else {
		p.said(l)
	}
	p.Offered, p.Acked, p.Answered = l.Message, false, l.Finished
	if l.Finished {
		ack, failed := wire.Gate(offerIn(&l.Message), l.Reply)
		p.Acked, p.Features = len(failed) == 0, ack.Features
	}
	return nil
}

func (p *Past) round(l *Link) error {
	f := l.Message.Frame
	first := p.Round == 0 && !p.HasHello // the history begins in the middle
	switch {
	case f.Round <= p.Round:
		return &Conflict{fmt.Sprintf("round %d after round %d", f.Round, p.Round)}
	case f.Round != p.Round+1 && !first:
		return &Conflict{fmt.Sprintf("round %d after round %d: a jump", f.Round, p.Round)}
	}
	ck, err := p.confirmed(f, first)
	if err != nil {
		return err
	}
	p.Round, p.Repairs, p.Frame, p.CK = f.Round, 0, f, ck
	p.Last, p.LastID, p.Plan, p.Said = wire.KindRound, l.MessageID, nil, nil
	p.take(l)
	return nil
}

// confirmed finds the round whose plan p= names; p never goes back.
func (p *Past) confirmed(f wire.Frame, first bool) (wire.Checkpoint, error) {
	if f.Prev == wire.NoPlan {
		if p.CK != (wire.Checkpoint{}) {
			return p.CK, &Conflict{fmt.Sprintf("round %d confirms nothing, an earlier one did", f.Round)}
		}
		return wire.Checkpoint{}, nil
	}
	for i := len(p.plans) - 1; i >= 0; i-- {
		if p.plans[i].key == f.Prev && p.plans[i].round < f.Round {
			if p.plans[i].round < p.CK.Round {
				return p.CK, &Conflict{fmt.Sprintf("p of round %d goes back", f.Round)}
			}
			return wire.Checkpoint{Round: p.plans[i].round, Key: f.Prev}, nil
		}
	}
	if first && f.Round > 1 {
		return wire.Checkpoint{Round: f.Round - 1, Key: f.Prev}, nil
	}
	return p.CK, &Conflict{fmt.Sprintf("p=%s of round %d names no plan before it", f.Prev, f.Round)}
}

func (p *Past) repair(l *Link) error {
	f := l.Message.Frame
	if f != p.Frame {
		return &Conflict{fmt.Sprintf("a REPAIR of round %d with another FRAME than its ROUND", f.Round)}
	}
	p.Repairs++
	p.Last, p.LastID, p.Said = wire.KindRepair, l.MessageID, nil
	p.take(l)
	return nil
}

// take keeps the last valid plan of the round.
func (p *Past) take(l *Link) {
	if !l.Finished {
		return
	}
	plan, faults := wire.CheckPlan(l.Reply, l.Message.Frame)
	if len(faults) > 0 {
		return
	}
	if n := len(p.plans); n > 0 && p.plans[n-1].round == p.Round {
		p.plans = p.plans[:n-1]
	}
	p.plans, p.Plan = append(p.plans, planned{p.Round, plan.Key}), &plan
}

func (p *Past) resume(l *Link) error {
	m := &l.Message
	if m.CK.Round > p.Round {
		return &Conflict{fmt.Sprintf("RESUME at checkpoint %s after round %d", m.CK, p.Round)}
	}
	p.said(l)
	if m.CK.Round > p.CK.Round {
		p.CK = m.CK
	}
	if !l.Finished {
		return nil
	}
	if _, failed := wire.GateResume(offerIn(&p.Offered), m.CK, m.Next, l.Reply); len(failed) == 0 {
		p.ResumeCK, p.ResumeFor = m.CK, m.Next
	}
	return nil
}

func (p *Past) said(l *Link) {
	p.Said = append(p.Said, Said{Message: l.Message, ID: l.MessageID, Digest: l.Digest})
}

// offerIn rebuilds what a HELLO, RESYNC or RESUME offers from its own text.
func offerIn(m *wire.Message) wire.Offer {
	return wire.Offer{
		SID: m.SID, HV: m.HV, CV: m.CV, Contract: m.Contract, Cap: m.Cap, QID: m.QID,
		Features: wire.RequiredFeatures(),
	}
}
