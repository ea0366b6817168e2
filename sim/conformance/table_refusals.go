package conformance

import (
	"time"

	"bridgesim/fakesite"
)

func refusing(nth int, why fakesite.Refusal) fakesite.Options {
	return fakesite.Options{
		Faults: fakesite.Faults{Refuse: []fakesite.RefuseAt{{Nth: nth, Why: why}}},
	}
}

func faultStates() []State {
	nth := fakesite.Nth{1}
	var all []State
	for _, o := range []opts{
		{"ServerError", fakesite.Options{Faults: fakesite.Faults{ServerError: nth}}},
		{"Accepted500", fakesite.Options{Faults: fakesite.Faults{Accepted500: nth}}},
		{
			"Accepted500, second message",
			fakesite.Options{Faults: fakesite.Faults{Accepted500: fakesite.Nth{2}}},
		},
		{"Dropped", fakesite.Options{Faults: fakesite.Faults{Dropped: nth}}},
		{"Dropped, second message", fakesite.Options{Faults: fakesite.Faults{Dropped: fakesite.Nth{2}}}},
		{"FailBefore", fakesite.Options{Preamble: "Hm.", Faults: fakesite.Faults{FailBefore: nth}}},
		{"FailMid", fakesite.Options{Faults: fakesite.Faults{FailMid: nth}}},
		{"FailAfter", fakesite.Options{Faults: fakesite.Faults{FailAfter: nth}}},
		{"Never", fakesite.Options{Faults: fakesite.Faults{Never: nth}}},
		{"Refuse busy", refusing(1, fakesite.RefusedBusy)},
		{"Refuse for the login", refusing(1, fakesite.RefusedLogin)},
		{"Refuse as not found", refusing(2, fakesite.RefusedNotFound)},
		{"MaxText", fakesite.Options{MaxText: 40}},
	} {
		all = append(all, State{Name: o.name, Site: typical(o.Options), Steps: steps(
			arrive(), send(hello), advance(437*time.Millisecond), advance(4*time.Second),
			advance(time.Minute), press(),
			advance(time.Second), advance(time.Minute), empty(), said("next"),
			once("load the chat", loadChat(), advance(hydrated)),
			send("last"), advance(time.Second),
		)})
	}
	return append(all, State{
		Name: "a fenced send that fails",
		Site: instant(fakesite.Options{Faults: fakesite.Faults{ServerError: nth}}),
		Steps: steps(
			open("/"), write(hello), fence(hello), press(), press(), fence(hello), press(),
		),
	})
}

func blockerStates() []State {
	var all []State
	for _, b := range fakesite.Blockers() {
		name := string(b)
		all = append(all,
			State{
				Name: name + " stands from the start", Site: typical(fakesite.Options{}), Block: b,
				Steps: steps(
					open("/"), advance(hydrated), write(hello), press(), renewed(), block(fakesite.Unblocked),
					focus(), press(),
					advance(time.Minute), block(b), load("/c/"+unknown), advance(hydrated),
				),
			},
			State{
				Name: name + " in the middle of an answer", Site: typical(fakesite.Options{}),
				Steps: steps(
					arrive(), said(hello), write("draft"), press(),
					once("text stands, typed", advance(time.Second), untilText(0), insert("typed")),
					block(b), write(" more"), untilEnd(0), advance(3*time.Second), press(),
					once("Enter", focus(), enter()),
					renewed(), once("write x", write("x"), press()), block(fakesite.Unblocked),
					advance(time.Second),
					once("Enter", focus(), enter()), once("renewed", advance(time.Minute), reload(),
						advance(hydrated)),
				),
			},
			State{
				Name: name + " comes with a message",
				Site: instant(fakesite.Options{Faults: fakesite.Faults{Block: []fakesite.BlockAt{
					{Nth: 2, Blocker: b}, {Nth: 3, Blocker: b, After: true},
				}}}), Steps: steps(
					open("/"), send(hello), write(round), fence(round), press(), press(), dismiss(), press(),
					block(fakesite.Unblocked),
					write(round), fence(round), press(), openChat(), block(fakesite.Unblocked), loadChat(),
				),
			},
		)
	}
	return append(all,
		State{
			Name: "a login is asked for before the page hydrates", Site: typical(fakesite.Options{}),
			Steps: steps(
				open("/"), advance(time.Second), block(fakesite.BlockLogin), advance(hydrated),
				block(fakesite.Unblocked), send(hello), advance(time.Minute),
			),
		},
		State{
			Name: "a frozen page hears of no blocker", Site: instant(fakesite.Options{Freeze: true}),
			Steps: steps(
				open("/"), write(hello), fence(hello), press(), block(fakesite.BlockRate),
				block(fakesite.BlockLogin), block(fakesite.BlockCaptcha), revoke(),
			),
		},
		State{
			Name: "a rate limit without its dialog", Site: instant(fakesite.Options{NoRateDialog: true}),
			Steps: steps(
				open("/"), send(hello), block(fakesite.BlockRate), send("x"), dismiss(), reload(),
			),
		},
		State{
			Name: "the dialog of a rate limit is closed", Site: instant(fakesite.Options{}),
			Steps: steps(
				open("/"), send(hello), block(fakesite.BlockRate), dismiss(), send("x"), dismiss(), reload(),
				dismiss(), write("y"), block(fakesite.Unblocked), press(),
			),
		},
		State{
			Name: "a challenge with its script", Site: instant(fakesite.Options{ChallengeScript: true}),
			Steps: steps(
				open("/"), block(fakesite.BlockCaptcha), reload(), block(fakesite.Unblocked), send(hello),
				block(fakesite.BlockCaptcha), block(fakesite.Unblocked),
			),
		},
		State{Name: "one blocker after another", Site: instant(fakesite.Options{}), Steps: steps(
			open("/"), send(hello), block(fakesite.BlockLogin), send("x"), block(fakesite.BlockExpired),
			block(fakesite.BlockRate), dismiss(),
			block(fakesite.BlockLogin), dismiss(), block(fakesite.BlockCap), block(fakesite.BlockAccount),
			block(fakesite.BlockDowngrade),
		)},
		State{
			Name: "a guest's page", Site: instant(fakesite.Options{}), Block: fakesite.BlockLogin,
			Steps: steps(
				open("/"), block(fakesite.Unblocked), send(hello), block(fakesite.BlockLogin), loadChat(),
				follow("/"), block(fakesite.Unblocked), loadChat(), send(hello),
			),
		},
	)
}

func recordStates() []State {
	var all []State
	for _, o := range []opts{
		{"RecordStatus 200", fakesite.Options{RecordStatus: 200}},
		{"RecordStatus 404", fakesite.Options{RecordStatus: 404}},
		{"RecordStatus 500", fakesite.Options{RecordStatus: 500}},
		{"RecordStatus 204", fakesite.Options{RecordStatus: 204}},
		{"RecordEmpty", fakesite.Options{RecordEmpty: true}},
	} {
		all = append(all, State{Name: o.name, Site: instant(o.Options), Steps: steps(
			open("/"), send(hello), reload(), block(fakesite.BlockLogin), block(fakesite.BlockRate),
			block(fakesite.BlockCaptcha),
		)})
	}
	all = append(all, State{
		Name: "a record that differs", Site: planning(fakesite.Options{RecordDiffers: true}),
		Steps: steps(arrive(), said(hello), said(round), renewed()),
	})
	return append(all, State{
		Name: "a record with branches",
		Site: planning(fakesite.Options{Preamble: "Hm.", Canvas: true, TwoResponses: true}),
		Steps: steps(
			arrive(), said(hello), said(round), onChat("fork",
				func(now time.Time, s *fakesite.Site, c *fakesite.Conversation) {
					s.Submit(now, fakesite.Post{
						ConversationID: c.ID, MessageID: "fork",
						ParentID: c.Messages[0].ID, Text: "another branch",
					})
				}), advance(time.Minute),
		),
	})
}

func copyStates() []State {
	const two = "text\n\n```sh\none\n```\n- item\n  ```\n  two\n  ```\n\n> ```\n> three\n> ```\n"
	site := func(o fakesite.Options, texts ...string) fakesite.Config {
		var moves []fakesite.Move
		for _, text := range texts {
			moves = append(moves, fakesite.Move{Say: text})
		}
		return fakesite.Config{Script: fakesite.Script{Handshake: moves}, Options: o}
	}
	return []State{
		{
			Name: "copies of several blocks", Site: site(fakesite.Options{}, two, short),
			Steps: steps(open("/"), send(hello), send(hello)),
		},
		{
			Name: "copies of several blocks, cm", Site: site(fakesite.Options{CodeView: "cm"}, two, short),
			Steps: steps(open("/"), send(hello), send(hello)),
		},
		{
			Name: "CopyBroken", Site: site(fakesite.Options{CopyBroken: true}, "```\na\n```"),
			Steps: steps(open("/"), enterText(hello)),
		},
		{
			Name: "CopyStale", Site: site(fakesite.Options{CopyStale: true}, two, two, short, two,
				"```\nlast\n```", two),
			Steps: steps(
				open("/"), send(hello), send(hello), send(hello), send(hello), send(hello), send(hello),
				reload(),
			),
		},
		{
			Name: "CopyStale, cm, in family b",
			Site: site(fakesite.Options{CopyStale: true, CodeView: "cm", Family: "b"}, two, two),
			Steps: steps(
				open("/"), send(hello), send(hello),
			),
		},
	}
}
