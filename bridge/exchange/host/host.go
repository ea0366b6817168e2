package host

import (
	"errors"
	"time"

	"bridgesim/bridge/clock"
	"bridgesim/bridge/exchange"
	"bridgesim/bridge/exchange/store"
)

// Config is everything that a host needs.
type Config struct {
	Store     store.Store
	Directory Directory
	Clock     clock.Clock
	Entropy   clock.Entropy
	LeaseTime time.Duration // how long a claim holds without being renewed; 0 means DefaultLease
}

// DefaultLease is longer than any single step of an endpoint, and shorter than a person's patience
// with a message whose endpoint died.
const DefaultLease = 2 * time.Minute

// Host keeps exchanges. It may be used from several goroutines: the store orders them.
type Host struct {
	cfg Config
	ids exchange.Ids
}

// ErrConfig says that a Config lacks something.
var ErrConfig = errors.New("host: needs a store, a directory, a clock and an entropy source")

// New returns a host.
func New(cfg Config) (*Host, error) {
	if cfg.Store == nil || cfg.Directory == nil || cfg.Clock == nil || cfg.Entropy == nil {
		return nil, ErrConfig
	}
	if cfg.LeaseTime == 0 {
		cfg.LeaseTime = DefaultLease
	}
	return &Host{cfg: cfg, ids: exchange.Ids{Clock: cfg.Clock, Entropy: cfg.Entropy}}, nil
}

// act is one call: who it is, what for, and the transaction in which everything happens.
type act struct {
	*Host
	operation string
	tx        store.Tx
	who       Principal
	instance  string // the incarnation that an endpoint says it is
	now       exchange.Instant
	diary     diary
}

func (h *Host) begin(operation, token string) (*act, error) {
	who, ok := h.cfg.Directory.Authenticate(token)
	if !ok {
		return nil, &Denial{Operation: operation, Fact: NeedPrincipal}
	}
	return &act{
		Host: h, operation: operation, who: who, now: exchange.InstantOf(h.cfg.Clock.Now()),
	}, nil
}

// change does one thing in one transaction: all of it, with its events, or nothing.
func (h *Host) change(operation, token string, do func(*act) error) error {
	a, err := h.begin(operation, token)
	if err != nil {
		return err
	}
	return h.cfg.Store.Update(func(tx store.Tx) error {
		a.tx = tx
		if err := do(a); err != nil {
			return err
		}
		return a.flush()
	})
}

// look reads in one transaction, which cannot write.
func (h *Host) look(operation, token string, do func(*act) error) error {
	a, err := h.begin(operation, token)
	if err != nil {
		return err
	}
	return h.cfg.Store.View(func(tx store.Tx) error {
		a.tx = tx
		return do(a)
	})
}

func (a *act) deny(fact exchange.Fact) error { return &Denial{Operation: a.operation, Fact: fact} }

// ungranted is the answer to whoever lacks a grant, or asks about what is not there.
func (a *act) ungranted(action exchange.Action) error {
	return &Denial{Operation: a.operation, Fact: exchange.NeedGrant, Action: action}
}
