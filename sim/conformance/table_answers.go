package conformance

import (
	"time"

	"bridgesim/fakesite"
)

// opts are options with a name.
type opts struct {
	name string
	fakesite.Options
}

func answerStates() []State {
	hurried := fakesite.Script{
		Handshake: []fakesite.Move{{Say: story, Think: time.Second, Write: 2 * time.Second}},
	}
	return []State{
		{Name: "prose, then a short answer, then none", Site: fakesite.Config{
			Timing: fakesite.Typical(), Script: fakesite.Script{Handshake: []fakesite.Move{
				{Say: short},
				{Say: " \n"},
			}},
		}, Steps: steps(arrive(), said("hi"), said(hello), said(hello))},
		{Name: "several turns and a window of six", Site: instant(fakesite.Options{}), Steps: steps(
			open("/"), send(hello), send("two"), send("three"), send(hello), send("five"), scroll(-1),
			scroll(-1), scroll(-1),
			scroll(1), reload(), scroll(-1), send("six"), option("Window",
				func(o *fakesite.Options) { o.Window = -1 }),
			option("Window", func(o *fakesite.Options) { o.Window = 3 }), scroll(-1),
		)},
		{
			Name: "turns mount slowly", Site: fakesite.Config{
				Timing:  fakesite.Typical(),
				Options: fakesite.Options{MountSlow: true, Window: 4},
			},
			Steps: steps(
				arrive(), said(hello), said(round), said(again), reload(), advance(9100*time.Millisecond),
				advance(249*time.Millisecond),
				advance(time.Millisecond), advance(250*time.Millisecond), advance(600*time.Millisecond),
			),
		},
		{
			Name: "a pause in an answer at once",
			Site: instant(fakesite.Options{PauseAt: 50, PauseFor: time.Minute}),
			Steps: steps(
				open("/"), send(hello), advance(59*time.Second), advance(time.Second),
			),
		},
		{
			Name: "a pause in a stream",
			Site: typical(fakesite.Options{PauseAt: 30, PauseFor: time.Minute}),
			Steps: steps(
				arrive(), send(hello), advance(time.Second), untilText(0), advance(20*time.Second),
				advance(20*time.Second), advance(2*time.Minute),
			),
		},
		{Name: "scripted time on an instant site", Site: fakesite.Config{Script: hurried}, Steps: steps(
			open("/"), send(hello), advance(999*time.Millisecond), advance(time.Millisecond),
			advance(time.Second), advance(time.Second),
		)},
		{
			Name: "two responses, the second is chosen",
			Site: planning(fakesite.Options{TwoResponses: true}),
			Steps: steps(
				arrive(), said(hello), glanced(round), write("next"), choose(2), press(),
				advance(time.Minute),
				renewed(),
			),
		},
		{
			Name: "two responses, the first is chosen",
			Site: planning(fakesite.Options{TwoResponses: true}),
			Steps: steps(
				arrive(), said(hello), said(round), choose(1), said(again),
			),
		},
		{Name: "continue generating", Site: planning(fakesite.Options{Continue: true}), Steps: steps(
			arrive(), said(hello), glanced(round), said(again),
		)},
		{
			Name: "a tool waits for approval", Site: planning(fakesite.Options{ToolApproval: true}),
			Steps: steps(
				arrive(), said(hello), send(round), advance(time.Minute),
				onChat("approve", func(now time.Time, s *fakesite.Site,
					c *fakesite.Conversation,
				) {
					s.Approve(now, c.ID)
				}),
				advance(320*time.Millisecond), answered(),
			),
		},
		{
			Name: "a tool's approval and a stop", Site: planning(fakesite.Options{ToolApproval: true}),
			Steps: steps(
				arrive(), said(hello), send(round), advance(time.Minute), renewed(),
				onChat("stop on the server", func(now time.Time, s *fakesite.Site,
					c *fakesite.Conversation,
				) {
					s.Stop(now, c.ID)
				}),
				advance(time.Minute),
			),
		},
	}
}

// markStates watch one answer under each switch that changes what is shown of it.
func markStates() []State {
	var all []State
	for _, o := range []opts{
		{"NoBar", fakesite.Options{NoBar: true}},
		{"EarlyBar", fakesite.Options{EarlyBar: true}},
		{"EarlyBar and NoBar", fakesite.Options{EarlyBar: true, NoBar: true}},
		{"StopFlicker", fakesite.Options{StopFlicker: true}},
		{"NoStop", fakesite.Options{NoStop: true}},
		{"OtherStop", fakesite.Options{OtherStop: true}},
		{"AnswerNow", fakesite.Options{AnswerNow: true}},
		{"Preamble", fakesite.Options{Preamble: "Let me look at **this** first:\n\n```sh\nls\n```"}},
		{"Handoff", fakesite.Options{Handoff: true}},
		{"Canvas", fakesite.Options{Canvas: true}},
		{"Deferral", fakesite.Options{Deferral: true}},
		{"ChallengeScript", fakesite.Options{ChallengeScript: true}},
		{"UserHTML", fakesite.Options{UserHTML: true}},
		{"UserNotice", fakesite.Options{UserNotice: true}},
		{"Nested", fakesite.Options{Nested: true}},
		{"all marks at once", fakesite.Options{
			StopFlicker: true, OtherStop: true, AnswerNow: true, Preamble: "Hm.", Deferral: true,
			Nested:   true,
			UserHTML: true, UserNotice: true, CodeView: "cm",
		}},
	} {
		all = append(all, State{Name: o.name, Site: typical(o.Options), Steps: steps(
			arrive(), glanced(hello), said(lines), renewed(),
		)})
	}
	return all
}

// familyStates play the same course in every family of the document.
func familyStates() []State {
	var all []State
	for _, family := range []string{"section", "article", "li", "b"} {
		for _, o := range []opts{
			{"", fakesite.Options{}},
			{", lexical, cm", fakesite.Options{Editor: "lexical", CodeView: "cm", NBSP: true}},
			{", with everything", fakesite.Options{
				Editor: "prosemirror", CodeView: "classic", Preamble: "Let me see.", Nested: true,
				UserNotice: true, UserHTML: true, AnswerNow: true,
			}},
			{", canvas", fakesite.Options{Canvas: true, Preamble: "Hm."}},
		} {
			if family == "article" && o.Canvas {
				continue // an article is a section by another name
			}
			o.Family = family
			all = append(all, State{
				Name: "family " + family + o.name, Site: typical(o.Options),
				Steps: steps(
					arrive(), glanced(hello), said(hello), renewed(),
				),
			})
		}
		if family == "article" {
			continue
		}
		o := fakesite.Options{Family: family, TwoResponses: true, Continue: true}
		all = append(all,
			State{Name: "family " + family + ", two responses", Site: planning(o), Steps: steps(
				arrive(), said(hello), said(round), choose(2), said(again), choose(1),
			)},
			State{
				Name: "family " + family + ", failures",
				Site: typical(fakesite.Options{Family: family, Faults: fakesite.Faults{
					FailBefore: fakesite.Nth{1}, FailMid: fakesite.Nth{2}, FailAfter: fakesite.Nth{3},
					Dropped: fakesite.Nth{4},
				}}), Steps: steps(arrive(), said(hello), said(hello), said(hello), send(hello),
					advance(time.Minute)),
			},
			State{
				Name: "family " + family + ", tool approval",
				Site: planning(fakesite.Options{Family: family, ToolApproval: true}),
				Steps: steps(
					arrive(), said(hello), send(round), advance(time.Minute),
				),
			},
		)
	}
	return append(all, State{
		Name: "the family changes in an open page", Site: instant(fakesite.Options{}),
		Steps: steps(
			open("/"), send(hello), write("draft"), option("Family",
				func(o *fakesite.Options) { o.Family, o.CodeView = "article", "cm" }),
			option("Family", func(o *fakesite.Options) { o.Family, o.Editor = "b", "lexical" }), press(),
		),
	})
}

// turnStates change the record behind everybody's back.
func turnStates() []State {
	first := func(do func(s *fakesite.Site, c, id string)) func(time.Time, *fakesite.Site,
		*fakesite.Conversation) {
		return func(_ time.Time, s *fakesite.Site, c *fakesite.Conversation) {
			do(s, c.ID,
				c.Messages[0].ID)
		}
	}
	second := func(do func(s *fakesite.Site, c, id string)) func(time.Time, *fakesite.Site,
		*fakesite.Conversation) {
		return func(_ time.Time, s *fakesite.Site, c *fakesite.Conversation) {
			do(s, c.ID,
				c.Messages[1].ID)
		}
	}
	var all []State
	for _, t := range []struct {
		name string
		step []Step
	}{
		{"the first message is edited", onChat("edit",
			first(func(s *fakesite.Site, c, id string) { s.Edit(c, id, "edited\n**text**") }))},
		{"the first answer is edited", onChat("edit",
			second(func(s *fakesite.Site, c, id string) { s.Edit(c, id, "## edited\n\n```\nx\n```") }))},
		{"the first message is removed", onChat("remove",
			first(func(s *fakesite.Site, c, id string) { s.Remove(c, id) }))},
		{"the first answer is removed", onChat("remove",
			second(func(s *fakesite.Site, c, id string) { s.Remove(c, id) }))},
		{"the record ends after the first message", onChat("truncate",
			first(func(s *fakesite.Site, c, id string) { s.Truncate(c, id) }))},
		{"the record ends after the first answer", onChat("truncate",
			second(func(s *fakesite.Site, c, id string) { s.Truncate(c, id) }))},
		{"the record is empty", onChat("truncate all", func(_ time.Time, s *fakesite.Site,
			c *fakesite.Conversation,
		) {
			s.Truncate(c.ID, "")
		})},
		{"the conversation is deleted", onChat("delete",
			func(_ time.Time, s *fakesite.Site, c *fakesite.Conversation) { s.Delete(c.ID) })},
	} {
		all = append(all, State{Name: t.name, Site: instant(fakesite.Options{}), Steps: steps(
			open("/"), send(hello), send(hello), t.step, reload(), send("more"),
		)})
	}
	return append(all, State{
		Name: "the answer that runs is removed", Site: typical(fakesite.Options{}),
		Steps: steps(
			arrive(), said(hello), send(hello), advance(time.Second), untilText(0),
			onChat("remove", func(_ time.Time, s *fakesite.Site, c *fakesite.Conversation) {
				s.Remove(c.ID,
					c.Last().ID)
			}),
			advance(time.Minute), send("more"), advance(time.Minute),
		),
	})
}

func deviationStates() []State {
	moves := map[fakesite.Part][]fakesite.Move{}
	for _, d := range fakesite.Deviations() {
		for _, part := range d.Applies {
			moves[part] = append(moves[part], fakesite.Move{
				Deviate: d.Name, Task: "a `b` *c* <d>",
				Notes: "x  y\n- z",
			})
		}
	}
	acks, resumes, plans := moves[fakesite.PartAck], moves[fakesite.PartResume],
		moves[fakesite.PartPlan]
	site := func(o fakesite.Options) fakesite.Config {
		return fakesite.Config{Timing: fakesite.Instant(), Options: o, Script: fakesite.Script{
			Handshake: acks, Resume: resumes, Rounds: []fakesite.RoundScript{{Round: 1, Moves: plans}},
		}}
	}
	times := func(text string, n int) []Step {
		var out []Step
		for range n {
			out = append(out, enterText(text)...)
		}
		return out
	}
	o := fakesite.Options{Window: 2}
	cm := fakesite.Options{Window: 2, CodeView: "cm"}
	ofPlans := steps(open("/"), enterText(hello), enterText(round), times(again, len(plans)-1))
	return []State{
		{
			Name: "deviations of acknowledgements", Site: site(o),
			Steps: steps(open("/"), times(hello, len(acks))),
		},
		{
			Name: "deviations of resumptions", Site: site(o),
			Steps: steps(open("/"), enterText(hello), times(back, len(resumes))),
		},
		{Name: "deviations of plans", Site: site(o), Steps: ofPlans},
		{Name: "deviations of plans, cm", Site: site(cm), Steps: ofPlans},
	}
}
