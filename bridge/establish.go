package bridge

import (
	"context"
	"errors"
	"strings"

	"bridgesim/bridge/page"
	"bridgesim/bridge/session"
	"bridgesim/bridge/wire"
)

// sayHello opens the session: static text only, never the request (readings 1).
func (r *relay) sayHello(ctx context.Context) error {
	o := r.offer
	return r.send(ctx, o.Hello(), session.Record{
		Kind: session.RecIntent, Message: wire.KindHello,
		HV: o.HV, CV: o.CV, Contract: o.Contract, Cap: o.Cap,
	})
}

// sayResync declares the static text again inside the same conversation and keeps the checkpoint.
func (r *relay) sayResync(ctx context.Context) error {
	o := r.offer
	return r.send(ctx, o.Resync(), session.Record{
		Kind: session.RecIntent, Message: wire.KindResync,
		HV: o.HV, CV: o.CV, Contract: o.Contract, Cap: o.Cap,
	})
}

// awaitAck waits for the answer to HELLO or RESYNC and holds it against every condition of the
// establish gate: a half-established session is worse than none.
func (r *relay) awaitAck(ctx context.Context) error {
	reply, err := r.reply(ctx)
	if failed := (*page.AnswerError)(nil); errors.As(err, &failed) {
		return r.noAck(failed)
	}
	if err != nil {
		return err
	}
	ack, failed := wire.Gate(r.offerOf(r.state().Offered), reply.Text)
	if len(failed) > 0 {
		return r.refuse(failed)
	}
	return r.j.Write(session.Record{
		Kind: session.RecAck, Message: r.state().Last.Kind,
		HV: ack.HV, CV: ack.CV, Contract: ack.Contract, Cap: ack.Cap, Features: ack.Features,
	})
}

// refuse decides on a failed gate. In the version domain a RESYNC may mend what reformatting
// cannot; everything else ends a first handshake. A RESYNC that is still inconsistent goes to a
// person.
func (r *relay) refuse(failed []wire.Failure) error {
	why, codes, kind := reasons(failed), wire.FailureCodes(failed), r.state().Last.Kind
	err := r.j.Write(session.Record{
		Kind: session.RecRefused, Message: kind, Codes: codes,
		Outcome: string(HandshakeRefused), Reason: why,
	})
	switch {
	case err != nil:
		return err
	case kind == wire.KindResync:
		return r.stop(Manual, 13, "the answer to RESYNC fails the establish gate: "+why)
	case wire.Attribute(codes) == wire.DomainVersion:
		return r.j.Write(session.Record{Kind: session.RecVersionLost, Reason: why})
	}
	return nil
}

// noAck: the turn of HELLO or RESYNC ended without a reply. HELLO is not said twice; RESYNC
// declares the same text again, once (row 8).
func (r *relay) noAck(why error) error {
	kind := r.state().Last.Kind
	err := r.j.Write(session.Record{
		Kind: session.RecRefused, Message: kind, Codes: []wire.Code{wire.CodeCapture},
		Reason: why.Error(),
	})
	switch {
	case err != nil:
		return err
	case kind == wire.KindResync:
		return r.stop(Manual, 13, "RESYNC was not answered: "+why.Error())
	}
	return errNoAck
}

// errNoAck is evidence for row 8: no acknowledgement can be proven.
var errNoAck = errors.New("the handshake's turn ended without an acknowledgement")

func reasons(failed []wire.Failure) string {
	parts := make([]string, len(failed))
	for i, f := range failed {
		parts[i] = f.Error()
	}
	return strings.Join(parts, "; ")
}

// versionChanged tells whether what pi is now differs from what was acknowledged (row 9): the old
// ACK must not be taken to hold.
func (r *relay) versionChanged() bool {
	return r.state().Acked != offered(r.offer)
}

// offerOf is what was offered under other versions: pi may have changed while its message was on
// the way, and the reply to it is judged by what it said.
func (r *relay) offerOf(v session.Version) wire.Offer {
	o := r.offer
	o.HV, o.CV, o.Contract, o.Cap = v.HV, v.CV, v.Contract, v.Cap
	return o
}

func offered(o wire.Offer) session.Version {
	return session.Version{HV: o.HV, CV: o.CV, Contract: o.Contract, Cap: o.Cap}
}
