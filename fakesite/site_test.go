package fakesite_test

import (
	"slices"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"bridgesim/bridge/clock"
	"bridgesim/fakesite"
)

// kinds lists the kinds of a ledger's entries and checks their numbers.
func kinds(l *fakesite.Ledger) []fakesite.EntryKind {
	var all []fakesite.EntryKind
	for i, e := range l.Entries() {
		Expect(e.Seq).To(Equal(i + 1))
		all = append(all, e.Kind)
	}
	return all
}

func options(o fakesite.Options) *dialogue {
	return talk(fakesite.Config{Options: o, Script: threeRounds(), Timing: fakesite.Typical()})
}

// later moves the clock behind everything that is running.
func (d *dialogue) later() { d.now = d.now.Add(time.Hour) }

var _ = Describe("The site", func() {
	Describe("record", func() {
		It("chains user messages and answers from the root", func() {
			d := talk(fakesite.Config{Script: threeRounds()})
			d.hello()
			d.plan(1, "-")
			parent := fakesite.RootID
			for i, m := range d.conv.Messages {
				Expect(m.Parent).To(Equal(parent))
				Expect(m.Role).To(Equal([]fakesite.Role{fakesite.User, fakesite.Assistant}[i%2]))
				parent = m.ID
			}
			Expect(d.conv.Messages[0].ID).To(Equal("m1"), "the client's id is the record's")
			Expect(d.conv.Messages[3].TurnID).To(Equal("request-" + d.conv.ID + "-1"))
			Expect(d.conv.Message("m2")).To(BeIdenticalTo(d.conv.Messages[2]))
			Expect(d.conv.AnswerTo("m2")).To(BeIdenticalTo(d.conv.Last()))
			rest, ok := d.conv.After("m2")
			Expect(ok).To(BeTrue())
			Expect(rest).To(HaveLen(1))
			Expect(d.conv.AnswerTo(d.conv.Last().ID)).To(BeNil())
			Expect(d.conv.AnswerTo("nobody")).To(BeNil())
			Expect(d.conv.Message("m1").At(d.now)).To(Equal(
				fakesite.Progress{State: fakesite.Complete, Shown: len(d.conv.Message("m1").Text)}))
			_, ok = d.conv.After("nobody")
			Expect(ok).To(BeFalse())
			all, _ := d.conv.After("")
			Expect(all).To(HaveLen(4))
		})

		It("leaves a branch when the parent is an earlier message", func() {
			d := talk(fakesite.Config{Script: threeRounds()})
			d.hello()
			d.plan(1, "-")
			p := fakesite.Post{ConversationID: d.conv.ID, MessageID: "edit", Text: "hi"}
			p.ParentID = d.conv.Messages[1].ID
			_, m, why := d.site.Submit(d.now, p)
			Expect(why).To(Equal(fakesite.Taken))
			Expect(d.conv.Messages).To(HaveLen(4))
			Expect(d.conv.Last()).To(BeIdenticalTo(m))
			Expect(d.conv.Others).To(HaveLen(2))
			d.plan(1, "-") // the left branch is unknown to the persona
		})

		It("counts a second message with the same id as one more", func() {
			d := talk(fakesite.Config{})
			d.say("a")
			p := fakesite.Post{ConversationID: d.conv.ID, MessageID: "m1", Text: "a"}
			d.site.Submit(d.now, p)
			Expect(d.site.Ledger().Received()).To(HaveLen(2))
			Expect(d.conv.Messages[2].ID).NotTo(Equal("m1"))
		})

		It("can be edited, emptied and lost, and the ledger stays", func() {
			d := talk(fakesite.Config{})
			d.say("a")
			answer := d.conv.Last()
			Expect(d.site.Edit(d.conv.ID, answer.ID, "other")).To(BeTrue())
			Expect(answer.Text).To(Equal("other"))
			Expect(d.site.Ledger().Answer("m1").Text).NotTo(Equal("other"))
			Expect(d.site.Remove(d.conv.ID, "m1")).To(BeTrue())
			Expect(answer.Parent).To(Equal(fakesite.RootID))
			for _, done := range []bool{
				d.site.Edit(d.conv.ID, "m1", ""), d.site.Remove(d.conv.ID, "m1"),
				d.site.Truncate(d.conv.ID, "m1"), d.site.Delete("nobody"),
			} {
				Expect(done).To(BeFalse())
			}
			Expect(d.site.Delete(d.conv.ID)).To(BeTrue())
			Expect(d.site.Find(d.conv.ID)).To(BeNil())
			Expect(d.site.Conversations()).To(BeEmpty())
			_, why := d.post("b")
			Expect(why).To(Equal(fakesite.RefusedNotFound))
			Expect(kinds(d.site.Ledger())).To(Equal(
				[]fakesite.EntryKind{"received", "answered", "refused"}))
		})

		It("lists conversations newest first, temporary ones nowhere", func() {
			s := fakesite.New(fakesite.Config{Options: fakesite.Options{Title: "Login help"}})
			a, _, _ := s.Submit(dawn, fakesite.Post{Text: "a", TransientID: "t1"})
			b, _, _ := s.Submit(dawn, fakesite.Post{Text: "b"})
			c, _, _ := s.Submit(dawn, fakesite.Post{Text: "c", Temporary: true})
			Expect(s.Conversations()).To(Equal([]*fakesite.Conversation{b, a}))
			Expect(s.Find("t1")).To(BeIdenticalTo(a))
			Expect(s.Find("WEB:t1")).To(BeIdenticalTo(a))
			Expect(s.Find(c.ID)).To(BeIdenticalTo(c))
			Expect(s.Find("")).To(BeNil())
			Expect(a.Title).To(Equal("Login help"))
			Expect(s.Options().MountedTurns()).To(Equal(6))
			s.Options().Window = -1
			Expect(s.Options().MountedTurns()).To(Equal(-1))
			Expect(s.Timing()).To(BeZero())
		})
	})

	Describe("answers", func() {
		It("stop where somebody presses stop", func() {
			d := options(fakesite.Options{})
			whole := d.hello()
			m := d.conv.Last()
			d.now = m.Course.TextFrom().Add(500 * time.Millisecond)
			stands := m.TextAt(d.now)
			Expect(stands).NotTo(BeEmpty())
			d.site.Stop(d.now, d.conv.ID)
			d.site.Stop(d.now, d.conv.ID)
			d.site.Stop(d.now, "nobody")
			Expect(m.Text).To(Equal(stands))
			Expect(m.At(d.now)).To(Equal(fakesite.Progress{State: fakesite.Stopped, Shown: len(stands)}))
			Expect(kinds(d.site.Ledger())).To(Equal(
				[]fakesite.EntryKind{"received", "answered", "stopped"}))
			Expect(d.site.Ledger().Answer("m1").Text).To(Equal(whole), "the ledger keeps the plan")
			Expect(d.site.Ledger().Entries()[2].Text).To(Equal(stands))
		})

		It("wait for an approval", func() {
			d := options(fakesite.Options{ToolApproval: true})
			d.hello()
			d.later()
			d.plan(1, "-")
			m := d.conv.Last()
			Expect(m.Course.AwaitsApproval()).To(BeTrue())
			d.later()
			Expect(m.At(d.now).State).To(Equal(fakesite.Thinking))
			Expect(m.Course.Ends()).To(BeZero())
			Expect(d.site.Ledger().Answer("m2").Ending).To(Equal(fakesite.Thinking))
			d.site.Approve(d.now, "nobody")
			d.site.Approve(d.now, d.conv.ID)
			Expect(m.Course.TextFrom()).To(Equal(d.now))
			Expect(d.site.Ledger().Answer("m2").Ends).To(Equal(m.Course.Ends()))
			last := m.At(m.Course.Ends().Add(-1))
			Expect(last.State).To(Equal(fakesite.Streaming))
			Expect(last.Shown).To(BeNumerically("<", len(m.Text)), "the last piece is the end")
			Expect(m.At(m.Course.Ends()).State).To(Equal(fakesite.Complete))
		})

		It("come with a preamble, an alternative, or cut at the cap", func() {
			d := options(fakesite.Options{Preamble: "Let me look.", TwoResponses: true})
			d.hello()
			Expect(d.conv.Last().Alternative).To(BeEmpty(), "an ACK has one form")
			d.later()
			first := d.plan(1, "-")
			m := d.conv.Last()
			Expect(m.Preamble).To(Equal("Let me look."))
			Expect(valid(m.Alternative, at(1, "-")).Key).NotTo(Equal(first.Key))

			d = options(fakesite.Options{Continue: true})
			d.hello()
			d.later()
			d.round(at(1, "-"))
			Expect(d.conv.Last().Truncated).To(BeTrue())
			Expect(strings.Count(d.conv.Last().Text, "```")).To(Equal(1))
		})

		It("take the time that a move says", func() {
			moves := []fakesite.Move{{Think: time.Minute, Write: 2 * time.Minute}}
			for _, t := range []fakesite.Timing{fakesite.Instant(), fakesite.Typical()} {
				d := talk(fakesite.Config{Script: fakesite.Script{Handshake: moves}, Timing: t})
				d.hello()
				c := &d.conv.Last().Course
				Expect(c.TextFrom()).To(Equal(dawn.Add(t.FirstByte + time.Minute)))
				Expect(c.Ends()).To(Equal(c.TextFrom().Add(2 * time.Minute)))
				half := d.conv.Last().At(c.TextFrom().Add(time.Minute))
				Expect(half.State).To(Equal(fakesite.Streaming))
				Expect(half.Shown).To(BeNumerically("~", len(d.conv.Last().Text)/2, 40))
			}
		})

		It("are there at once on an instant site", func() {
			d := talk(fakesite.Config{Timing: fakesite.Instant()})
			d.hello()
			m := d.conv.Last()
			Expect(m.At(dawn)).To(Equal(fakesite.Progress{State: fakesite.Complete, Shown: len(m.Text)}))
		})

		It("keep the measured times of the live site", func() {
			d := talk(fakesite.Config{Timing: fakesite.Typical()})
			d.hello()
			c := &d.conv.Last().Course
			Expect(c.Begins().Sub(dawn)).To(Equal(time.Second))
			Expect(c.Ends().Sub(dawn)).To(BeNumerically("~", 6900*time.Millisecond, 3*time.Second))
		})

		It("think for eleven to twenty minutes on the slow site", func() {
			var seen []time.Duration
			for seed := range uint64(40) {
				cfg := fakesite.Config{Timing: fakesite.SlowThinking(), Entropy: clock.Seeded(seed)}
				d := talk(cfg)
				d.say("a")
				c := &d.conv.Last().Course
				seen = append(seen, c.TextFrom().Sub(c.Begins()))
			}
			Expect(slices.Min(seen)).To(BeNumerically(">=", 11*time.Minute))
			Expect(slices.Min(seen)).To(BeNumerically("<", 13*time.Minute))
			Expect(slices.Max(seen)).To(BeNumerically("<=", 20*time.Minute))
			Expect(slices.Max(seen)).To(BeNumerically(">", 18*time.Minute))
		})
	})

	Describe("address", func() {
		steps := func(o fakesite.Options, temporary bool) []string {
			t := fakesite.Typical()
			s := fakesite.New(fakesite.Config{Timing: t, Options: o})
			c, m, _ := s.Submit(dawn, fakesite.Post{Text: offer().Hello(), Temporary: temporary})
			names := strings.NewReplacer(c.ID, "ID", "WEB:"+c.TransientID, "WEB")
			var path []string
			for at := dawn; ; {
				where, next := s.Address(c, at)
				path = append(path, at.Sub(dawn).String()+" "+names.Replace(where))
				if next.IsZero() {
					return path
				}
				before, same := s.Address(c, next.Add(-1))
				Expect(before).To(Equal(where))
				Expect(same).To(Equal(next))
				if next.Equal(m.Course.Ends()) {
					path = append(path, "end")
				}
				at = next
			}
		}

		It("comes as measured", func() {
			Expect(steps(fakesite.Options{}, false)).To(Equal([]string{"0s /", "3.8s /c/ID"}))
		})
		It("is transient first", func() {
			Expect(steps(fakesite.Options{Transient: true}, false)).To(
				Equal([]string{"0s /", "437ms /c/WEB", "3.8s /c/ID"}))
		})
		It("comes with the end of the first answer", func() {
			got := steps(fakesite.Options{NoAddress: true}, false)
			Expect(got).To(HaveLen(3))
			Expect(got[1:2]).To(Equal([]string{"end"}))
			Expect(got[2]).To(HaveSuffix(" /c/ID"))
		})
		It("never comes without an end, or in a temporary chat", func() {
			o := fakesite.Options{NoAddress: true, Faults: fakesite.Faults{Never: fakesite.Nth{1}}}
			Expect(steps(o, false)).To(Equal([]string{"0s /"}))
			Expect(steps(fakesite.Options{}, true)).To(Equal([]string{"0s /?temporary-chat=true"}))
		})
	})

	Describe("ledger", func() {
		It("holds texts, digests and the planned end", func() {
			d := options(fakesite.Options{})
			d.hello()
			in, out := d.site.Ledger().Received()[0], d.site.Ledger().Answers()[0]
			Expect(in.Text).To(Equal(offer().Hello()))
			Expect(out.MessageID).To(Equal("m1"))
			Expect(out.AnswerID).To(Equal(d.conv.Last().ID))
			Expect(out.Ends).To(Equal(d.conv.Last().Course.Ends()))
			Expect(out.Ending).To(Equal(fakesite.Complete))
			Expect(d.site.Ledger().Answer("nobody")).To(BeNil())
			d.later()
			d.say("abc")
			Expect(in.Digest()).NotTo(Equal(out.Digest()))
			Expect(in.Digest()).To(Equal(in.Digest()))
			digest := d.site.Ledger().Received()[1].Digest()
			Expect(digest).To(Equal("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"))
		})

		It("is the same for the same entropy and another for another", func() {
			run := func(seed uint64) (ids []string) {
				d := talk(fakesite.Config{
					Entropy: clock.Seeded(seed), Timing: fakesite.SlowThinking(), Script: threeRounds(),
				})
				d.hello()
				d.later()
				d.plan(1, "-")
				for _, e := range d.site.Ledger().Entries() {
					ids = append(ids, e.Conversation, e.AnswerID, e.At.String(), e.Ends.String(), e.Digest())
				}
				return append(ids, d.site.Account().Token)
			}
			Expect(run(1)).To(Equal(run(1)))
			Expect(run(1)).NotTo(Equal(run(2)))
		})
	})

	Describe("names", func() {
		It("of timings are known or refused", func() {
			for _, name := range fakesite.TimingNames() {
				t, err := fakesite.TimingByName(name)
				Expect(err).NotTo(HaveOccurred())
				Expect(t.Name).To(Equal(name))
			}
			_, err := fakesite.TimingByName("fast")
			Expect(err).To(MatchError(ContainSubstring("slow-thinking")))
		})

		It("of options are known or refused", func() {
			for _, o := range []fakesite.Options{
				{Family: "x"},
				{Editor: "x"},
				{CodeView: "x"},
				{PauseAt: 101},
				{PauseFor: -1},
				{SendNoop: -1},
				{Faults: fakesite.Faults{Block: []fakesite.BlockAt{{Nth: 1, Blocker: "x"}}}},
			} {
				Expect(o.Validate()).NotTo(Succeed())
			}
			o := fakesite.Options{Family: "li", Editor: "lexical", CodeView: "cm", PauseAt: 50}
			Expect(o.Validate()).To(Succeed())
		})
	})
})
