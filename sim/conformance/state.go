package conformance

import (
	"context"
	"fmt"
	"time"

	"bridgesim/bridge/browser"
	"bridgesim/fakesite"
)

// State is one way that the site can be, and how a page gets there.
type State struct {
	Name  string
	Site  fakesite.Config // without Entropy: both arms use the site's own seed
	Block fakesite.Blocker
	Steps []Step
}

// Step is one thing that happens. Its constructors are in steps.go.
type Step struct {
	Name string
	do   func(p *play)
}

// arm is one of the two worlds in which a state is played. Tabs are numbered in the order in which
// they were opened. Every act returns when the page shows what came of it.
type arm interface {
	base() string // address of the site, without a trailing slash
	tabs() int
	session(tab int) browser.Session
	answers(tab int, list []question) ([]any, error)
	site(f func(now time.Time, site *fakesite.Site)) error
	advance(d time.Duration) error

	open(path string) error
	load(tab int, path string) error
	reload(tab int) error

	// click presses and releases the left button; a click that makes the page send is followed until
	// the site has taken or refused the message.
	click(tab int, x, y float64) error
	enter(tab int, modifiers int64) error
	stop(tab int) error // clicks the stop button

	// What a person does that no bridge does.
	follow(tab int, path string) error          // a link of the sidebar
	scroll(tab, direction int) error            // to the edge of what is mounted
	choose(tab int, id string, which int) error // one of two responses, from 1
	dismiss(tab int) error                      // closes the dialog that can be closed
}

// Answer is what one question gave.
type Answer struct {
	Step  string
	Tab   int
	Probe string // with its arguments
	Value any    // the probe's own type, with ids named
}

// play is one state on one arm.
type play struct {
	ctx     context.Context
	arm     arm
	tab     int
	step    string
	answers []Answer
	names   names
	err     error
}

// run plays a state to its end.
func run(ctx context.Context, a arm, s *State) ([]Answer, error) {
	p := &play{ctx: ctx, arm: a}
	for i := range s.Steps {
		step := &s.Steps[i]
		p.step = fmt.Sprintf("%d %s", i+1, step.Name)
		step.do(p)
		p.look()
		if p.err != nil {
			return p.answers, fmt.Errorf("step %q: %w", p.step, p.err)
		}
	}
	p.step = "end"
	p.farewell()
	return p.answers, p.err
}

// fail keeps the first error.
func (p *play) fail(err error) {
	if p.err == nil {
		p.err = err
	}
}

// site lets f look at the site or change it.
func (p *play) site(f func(now time.Time, site *fakesite.Site)) {
	if p.err == nil {
		p.fail(p.arm.site(f))
	}
}
