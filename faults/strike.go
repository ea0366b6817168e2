package faults

import (
	"errors"
	"fmt"
	"time"

	"bridgesim/fakesite"
)

var (
	errUnknown   = errors.New("this kind of fault is not known")
	errPhase     = errors.New("this kind of fault cannot strike in this phase")
	errNoStriker = errors.New("no striker of an engine was given to the interposer")
	errNoCache   = errors.New("pi's state folder was not given to the interposer")
	errNoTimer   = errors.New("no timer was given to the interposer: the fault cannot end")
)

func named(method string, err error) error { return fmt.Errorf("%s: %w", method, err) }

func (i *Interposer) reach(f *armed) {
	i.say(f, Reached, f.fault.At, "the bridge is at "+f.fault.At.String())
}

func (i *Interposer) miss(f *armed, why error) { i.say(f, Missed, f.fault.At, why.Error()) }

// strike does a fault that the interposer does not do by itself, and sees to its end. It reports
// whether it took effect. A fault that kills pi does not return.
func (i *Interposer) strike(f *armed, o *outside) bool {
	var evidence string
	var err error
	switch f.info.manner {
	case kills:
		i.kill(f, "pi died at "+o.method)
	case bugs:
		i.applied(f, "pi panics at "+o.method)
		panic(Bug{f.fault})
	case sites:
		evidence, err = i.strikeSite(f)
	case agents:
		evidence, err = i.strikeAgent(f, o)
	case forgets:
		evidence, err = i.strikeCache(f)
	default:
		if i.striker == nil {
			err = errNoStriker
			break
		}
		evidence, err = i.striker.Strike(f.fault, o.aim)
	}
	if err != nil {
		i.miss(f, err)
		return false
	}
	i.applied(f, evidence)
	return true
}

// applied logs that a fault took effect, and what its end will be: over at once, over in a while,
// or never.
func (i *Interposer) applied(f *armed, evidence string) {
	at := f.fault.At
	i.say(f, Applied, at, evidence)
	d := f.fault.Params.For
	switch {
	case f.info.manner == kills:
		// healed when pi is started again
	case f.fault.Permanent():
		i.say(f, Stays, at, "it never heals")
	case !f.info.reads("for") || d == 0 || f.fault.Kind == Delay:
		i.say(f, Healed, at, "it happened once and does not go on")
	default:
		i.healLater(f, d)
	}
}

// healLater undoes a lasting fault when its time is over.
func (i *Interposer) healLater(f *armed, d time.Duration) {
	after := i.ports.After
	if onCallClock(f.fault.Kind) {
		after = i.ports.AfterReal
	}
	if after == nil {
		i.say(f, Stays, f.fault.At, errNoTimer.Error())
		return
	}
	after(d, func() { i.heal(f) })
}

// onCallClock: the fault's time is measured against deadlines of calls, which are never scaled.
func onCallClock(k Kind) bool {
	switch k {
	case Stall, FreezeBrowser, WedgeTab, Dialog:
		return true
	}
	return false
}

func (i *Interposer) heal(f *armed) {
	if i.ended.Load() {
		return
	}
	var evidence string
	var err error
	switch f.info.manner {
	case sites:
		i.ports.Site(func(_ time.Time, s *fakesite.Site) { evidence = healSite(f.fault, s) })
	case agents:
		i.mute.Store(false)
		evidence = "the agent answers again"
	default:
		evidence, err = i.striker.Heal(f.fault)
	}
	if err != nil {
		i.say(f, Stays, f.fault.At, err.Error())
		return
	}
	i.say(f, Healed, f.fault.At, evidence)
}

func (i *Interposer) strikeSite(f *armed) (evidence string, err error) {
	if i.ports.Site == nil {
		return "", errNoSite
	}
	i.ports.Site(func(now time.Time, s *fakesite.Site) {
		evidence, err = strikeSite(f.fault, now, s)
	})
	return evidence, err
}

// strikeCache does to pi's journal what the kind says; kinds that leave it alone do nothing.
func (i *Interposer) strikeCache(f *armed) (evidence string, err error) {
	c := i.ports.Cache
	if c == nil {
		return "", errNoCache
	}
	switch f.fault.Kind {
	case LoseCache, DropMemory:
		err = c.Lose()
		evidence = "the journal is gone"
	case CorruptCache:
		err = c.Corrupt()
		evidence = "a byte of the journal is wrong"
	case StaleCache:
		var left int
		left, err = c.Age(f.fault.Params.Back)
		evidence = fmt.Sprintf("the journal has its first %d records", left)
	case TearCache:
		err = c.Tear()
		evidence = "the last record of the journal is torn"
	case NewerCache:
		err = c.Renew()
		evidence = "the journal names a newer format"
	case ForeignCache:
		err = c.Swap()
		evidence = "the journal names session " + OtherSID
	}
	return evidence, err
}
