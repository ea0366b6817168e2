package host

import (
	"slices"

	"bridgesim/bridge/exchange"
	"bridgesim/bridge/exchange/store"
)

// Inbox lists the ids of the unfinished messages for the caller's endpoint, oldest first. It
// permits nothing: whoever wants one must claim it.
func (h *Host) Inbox(token string) (ids []string, err error) {
	err = h.look("inbox", token, func(a *act) error {
		if !slices.Contains(a.who.May, exchange.Claim) {
			return a.ungranted(exchange.Claim)
		}
		records, err := a.tx.List(store.Work, inbox(a.who.As))
		for _, r := range records {
			ids = append(ids, string(r))
		}
		return err
	})
	return ids, err
}

// Claim takes a queued message for one incarnation of the caller's endpoint. The fencing token is
// one more than the last that was ever given out for the message; it is stored with the claim.
func (h *Host) Claim(token, messageID, instance string) (hold Hold, err error) {
	err = h.change("claim", token, func(a *act) error {
		if a.instance = instance; instance == "" {
			return a.deny(NeedInstance)
		}
		f, err := a.facts(messageID, exchange.Claim)
		if err != nil {
			return err
		}
		if err := a.claim(&f); err != nil {
			return err
		}
		hold = Hold{
			MessageID: messageID, AttemptID: f.Attempt.AttemptID, InstanceID: instance,
			FencingToken: f.CurrentLease.FencingToken,
		}
		return nil
	})
	return hold, err
}

func (a *act) claim(f *exchange.Facts) error {
	before := f.CurrentLease
	if before != nil {
		f.LastToken = before.FencingToken
	}
	lease := exchange.Lease{
		ConsumerID: a.who.ID, InstanceID: a.instance, FencingToken: f.LastToken + 1,
		ExpiresAt: a.expiry(),
	}
	f.CurrentLease = &lease
	f.Attempt = &exchange.DeliveryAttempt{
		AttemptID: a.ids.New(exchange.AttemptID), MessageID: f.Message.MessageID,
		Endpoint: f.Message.To, Lease: lease, Dispatch: exchange.NotAttempted,
		Transport: exchange.Unreported, CreatedAt: a.now,
	}
	if _, err := a.move(f, exchange.Claimed); err != nil {
		return err
	}
	err := add(a.tx, store.Attempts, f.Attempt.AttemptID, f.Message.MessageID, *f.Attempt)
	if err != nil {
		return err
	}
	if before == nil {
		return add(a.tx, store.Claims, f.Message.MessageID, f.Message.MessageID, lease)
	}
	return replace(a.tx, store.Claims, f.Message.MessageID, lease)
}

func (a *act) expiry() exchange.Instant {
	return exchange.InstantOf(a.cfg.Clock.Now().Add(a.cfg.LeaseTime))
}

// Renew lets a claim that has not expired hold for another lease time. Its token stays.
func (h *Host) Renew(token string, hold Hold) error {
	return h.change("renew", token, func(a *act) error {
		f, err := a.live(hold, exchange.Claim)
		if err != nil {
			return err
		}
		if f.Message.State.Finished() {
			return a.deny(exchange.NeedShape)
		}
		lease := *f.CurrentLease
		lease.ExpiresAt = a.expiry()
		if err := replace(a.tx, store.Claims, hold.MessageID, lease); err != nil {
			return err
		}
		return a.alter(&f, func(d *exchange.DeliveryAttempt) { d.Lease = lease })
	})
}

// Release gives a message back to the queue, which is safe only before the dispatch marker.
func (h *Host) Release(token string, hold Hold) error {
	return h.step("release", token, hold, exchange.LeaseRelease, exchange.Queued)
}

// ConfirmCancel confirms that an attempt which never started is cancelled.
func (h *Host) ConfirmCancel(token string, hold Hold) error {
	return h.step("confirm cancel", token, hold, exchange.CancelConfirm, exchange.Cancelled)
}

// step makes one move of the table for the holder of a claim.
func (h *Host) step(
	operation, token string, hold Hold, action exchange.Action, to exchange.State,
) error {
	return h.change(operation, token, func(a *act) error {
		f, err := a.held(hold, action)
		if err != nil {
			return err
		}
		_, err = a.move(&f, to)
		return err
	})
}

// DispatchStart writes the marker that says from now on the other side may have been reached. The
// adapter may be called only after it returned nil.
func (h *Host) DispatchStart(token string, hold Hold) error {
	return h.change("dispatch-start", token, func(a *act) error {
		f, err := a.held(hold, exchange.DispatchStart)
		if err != nil {
			return err
		}
		if f.Attempt.Dispatch != exchange.NotAttempted {
			return a.deny(exchange.NeedDispatch)
		}
		err = a.alter(&f, func(d *exchange.DeliveryAttempt) { d.Dispatch = exchange.Started })
		if err != nil {
			return err
		}
		_, err = a.move(&f, exchange.Dispatching)
		return err
	})
}

// Deliver reports what the transport knows of a started attempt. Delivered alone moves no message;
// ambiguous quarantines it; failed says that the adapter proved no side effect.
func (h *Host) Deliver(token string, hold Hold, proof string, t exchange.Transport) error {
	return h.change("deliver", token, func(a *act) error {
		f, err := a.live(hold, exchange.DeliveryReport)
		if err != nil {
			return err
		}
		s := f.Message.State
		switch {
		case s != exchange.Dispatching && s != exchange.CancelRequested:
			return a.deny(NeedDispatching)
		case f.Attempt.Dispatch != exchange.Started:
			return a.deny(exchange.NeedDispatch)
		case f.Attempt.Transport != exchange.Unreported, t == exchange.Unreported:
			return a.deny(exchange.NeedTransport)
		}
		if err := a.spend(f, proof, ofTransport); err != nil {
			return err
		}
		if err := a.alter(&f, func(d *exchange.DeliveryAttempt) { d.Transport = t }); err != nil {
			return err
		}
		return a.delivered(&f)
	})
}

func (a *act) delivered(f *exchange.Facts) (err error) {
	switch f.Attempt.Transport {
	case exchange.Ambiguous:
		_, err = a.move(f, exchange.DeliveryUnknown)
	case exchange.NoEffect:
		_, err = a.move(f, exchange.Failed)
	default:
		_, err = a.receipt(f.Message, f.Message.To, exchange.DeliveryAck)
	}
	return err
}

// Quarantine puts a started message whose worker is gone aside: nobody knows whether it arrived.
// It needs a claim that has expired, so that nobody interrupts a worker that lives.
func (h *Host) Quarantine(token, messageID, instance string) error {
	return h.change("quarantine", token, func(a *act) error {
		a.instance = instance
		f, err := a.facts(messageID, exchange.Reconcile)
		switch {
		case err != nil:
			return err
		case f.Attempt == nil:
			return a.deny(exchange.NeedAttempt)
		case !f.Authorization.Permits(exchange.Reconcile, scope(f)):
			return a.ungranted(exchange.Reconcile)
		case a.running(f):
			return a.deny(NeedExpired)
		}
		if f.Attempt.Dispatch == exchange.Started && f.Attempt.Transport == exchange.Unreported {
			err = a.alter(&f, func(d *exchange.DeliveryAttempt) { d.Transport = exchange.Ambiguous })
			if err != nil {
				return err
			}
		}
		_, err = a.move(&f, exchange.DeliveryUnknown)
		return err
	})
}
