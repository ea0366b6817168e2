package fakesite_test

import (
	"strings"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/clock"
	"bridgesim/bridge/wire"
	"bridgesim/fakesite"
)

func TestFakesite(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "fakesite")
}

var dawn = time.Date(2026, 9, 1, 8, 0, 0, 0, time.UTC)

const (
	sid     = "9f83a7c1d42e650b"
	request = "示例请求"
)

func offer() wire.Offer {
	return wire.NewOffer(sid, request, "", wire.DefaultCapabilities(), wire.DefaultDenials())
}

// dialogue speaks to one conversation of a site the way a bridge does. Every send is at now.
type dialogue struct {
	site *fakesite.Site
	now  time.Time
	conv *fakesite.Conversation
	n    int
}

func talk(cfg fakesite.Config) *dialogue {
	if cfg.Entropy == nil {
		cfg.Entropy = clock.Seeded(7)
	}
	return &dialogue{site: fakesite.New(cfg), now: dawn}
}

func (d *dialogue) post(text string) (*fakesite.Message, fakesite.Refusal) {
	d.n++
	p := fakesite.Post{MessageID: "m" + string(rune('0'+d.n)), Text: text}
	if d.conv != nil {
		p.ConversationID = d.conv.ID
		p.ParentID = d.conv.Last().ID
	}
	c, m, why := d.site.Submit(d.now, p)
	if c != nil {
		d.conv = c
	}
	return m, why
}

// say sends a text and returns the whole answer.
func (d *dialogue) say(text string) string {
	GinkgoHelper()
	m, why := d.post(text)
	Expect(why).To(Equal(fakesite.Taken))
	Expect(m).NotTo(BeNil())
	return m.Text
}

func (d *dialogue) hello() string {
	GinkgoHelper()
	return d.say(offer().Hello())
}

func at(round int, prev string) wire.Frame {
	return wire.Frame{SID: sid, Round: round, Prev: prev, QID: offer().QID}
}

// round sends a ROUND and returns the answer.
func (d *dialogue) round(f wire.Frame) string {
	GinkgoHelper()
	if f.Round == 1 {
		return d.say(wire.FirstRound(f, request))
	}
	return d.say(wire.NextRound(f, "npm test 全绿"))
}

// plan sends a ROUND whose answer must be a faultless plan.
func (d *dialogue) plan(round int, prev string) wire.Plan {
	GinkgoHelper()
	return valid(d.round(at(round, prev)), at(round, prev))
}

func valid(reply string, f wire.Frame) wire.Plan {
	GinkgoHelper()
	p, faults := wire.CheckPlan(reply, f)
	Expect(faults).To(BeEmpty(), reply)
	return p
}

func codes(faults []wire.Fault) []string {
	var names []string
	for _, c := range wire.FaultCodes(faults) {
		names = append(names, string(c))
	}
	return names
}

func conditions(failures []wire.Failure) []string {
	var names []string
	for _, f := range failures {
		if len(names) == 0 || names[len(names)-1] != string(f.Condition) {
			names = append(names, string(f.Condition))
		}
	}
	return names
}

func hasHeader(text string) bool { return strings.Contains(text, "pi-bridge/") }
