package scenarios

import (
	"fmt"
	"strings"

	"github.com/cucumber/godog"

	"bridgesim/bridge/wire"
	"bridgesim/sim"
)

// messageSteps judge what the site received.
var messageSteps = []step{
	{
		pattern: re(`the site received these messages:`),
		example: "Then the site received these messages:\n" +
			"  | message | round | p |\n  | HELLO   |       |   |\n  | ROUND   | 1     | - |",
		sentence: "All user turns in the site's ledger, in order. p is the round whose plan p= names.",
		bind:     func(s *scenario) any { return seen(s, messagesAre) },
	},
	{
		pattern:  re(`the site received exactly (\d+) messages?`),
		example:  `Then the site received exactly 1 message`,
		sentence: "The number of user turns in the site's ledger.",
		bind: func(s *scenario) any {
			return seen(s, func(r *sim.Result, n int) error {
				return count("messages", len(r.Received), n, r)
			})
		},
	},
	{
		pattern:  re(`the site received exactly (\d+) "([A-Z]+)" messages?`),
		example:  `Then the site received exactly 2 "REPAIR" messages`,
		sentence: "The number of user turns of one kind.",
		bind: func(s *scenario) any {
			return seen2(s, func(r *sim.Result, n int, kind string) error {
				return count(kind+" messages", len(r.Of(wire.Kind(kind))), n, r)
			})
		},
		check: among(1, "message", ours),
	},
	{
		pattern:  re(`the request reached the site exactly once, in the ROUND of round (\d+)`),
		example:  `Then the request reached the site exactly once, in the ROUND of round 1`,
		sentence: "The request's text stands in exactly one user turn.",
		bind:     func(s *scenario) any { return seen(s, requestOnce) },
	},
	{
		pattern: re(`no ROUND after the first holds contract, capabilities, denials or request`),
		example: `Then no ROUND after the first holds contract, capabilities, denials or request`,
		sentence: "Static text is not repeated in steady state: no line or clause of the contract, no " +
			"capability or denial, no piece of the request.",
		bind: func(s *scenario) any { return seen0(s, leanRounds) },
	},
	{
		pattern:  re(`the HELLO holds the contract, the capabilities and the denials`),
		example:  `Then the HELLO holds the contract, the capabilities and the denials`,
		sentence: "HELLO declares the static text.",
		bind:     func(s *scenario) any { return seen0(s, helloIsWhole) },
	},
	{
		pattern:  re(`the HELLO does not hold the request`),
		example:  `Then the HELLO does not hold the request`,
		sentence: "A handshake turn must not contain anything that reads like a question.",
		bind:     func(s *scenario) any { return seen0(s, helloIsNoQuestion) },
	},
	{
		pattern:  re(`the HELLO names the objective "([^"]*)"`),
		example:  `Then the HELLO names the objective "lint"`,
		sentence: "The label under OBJECTIVE.",
		bind: func(s *scenario) any {
			return seen(s, func(r *sim.Result, text string) error {
				return holds(r, wire.KindHello, 0, "OBJECTIVE:\n"+text+"\n")
			})
		},
	},
	{
		pattern:  re(`the RESYNC repeats the HELLO word for word`),
		example:  `Then the RESYNC repeats the HELLO word for word`,
		sentence: "RESYNC is its header line, a blank line, then HELLO verbatim.",
		bind:     func(s *scenario) any { return seen0(s, resyncIsHello) },
	},
	{
		pattern:  re(`the REPAIR of round (\d+) names "([^"]*)"`),
		example:  `Then the REPAIR of round 1 names "E_BLOCKS"`,
		sentence: "The error codes of the first REPAIR in that round; exactly these.",
		bind:     func(s *scenario) any { return seen2(s, repairNames) },
		check:    each(1, "error code", wire.Codes()),
	},
	{
		pattern:  re(`the ROUND of round (\d+) reports "([^"]*)"`),
		example:  `Then the ROUND of round 2 reports "npm test 全绿"`,
		sentence: "The receipt in that ROUND holds this text.",
		bind: func(s *scenario) any {
			return seen2(s, func(r *sim.Result, n int, text string) error {
				return holds(r, wire.KindRound, n, text)
			})
		},
	},
	{
		pattern:  re(`the last message of ours is the ROUND of round (\d+)`),
		example:  `Then the last message of ours is the ROUND of round 2`,
		sentence: "Nothing was sent after it.",
		bind:     func(s *scenario) any { return seen(s, lastRound) },
	},
}

func messagesAre(r *sim.Result, want *godog.Table) error {
	var rows []string
	for _, row := range want.Rows[1:] {
		cells := make([]string, len(row.Cells))
		for i, c := range row.Cells {
			cells[i] = c.Value
		}
		rows = append(rows, strings.Join(cells, " | "))
	}
	got := make([]string, len(r.Received))
	for i, m := range r.Received {
		got[i] = describe(r, m)
	}
	if strings.Join(rows, "\n") == strings.Join(got, "\n") {
		return nil
	}
	return fmt.Errorf("the site received:\n  %s\nexpected:\n  %s",
		strings.Join(got, "\n  "), strings.Join(rows, "\n  "))
}

// describe is a message as a row of the table: kind, round, round whose plan p= names.
func describe(r *sim.Result, m sim.Message) string {
	if !m.Ours {
		return "(foreign) " + m.Text
	}
	switch m.Kind {
	case wire.KindRound, wire.KindRepair:
		return fmt.Sprintf("%s | %d | %s", m.Kind, m.Frame.Round, planRound(r, m.Frame))
	}
	return fmt.Sprintf("%s |  | ", m.Kind)
}

// planRound names p by the round whose plan it is, or as it stands when no plan has that key.
func planRound(r *sim.Result, f wire.Frame) string {
	if f.Prev == wire.NoPlan {
		return wire.NoPlan
	}
	for n := f.Round - 1; n > 0; n-- {
		if r.PlanKey(n) == f.Prev {
			return fmt.Sprint(n)
		}
	}
	return f.Prev
}

func count(what string, got, want int, r *sim.Result) error {
	if got == want {
		return nil
	}
	kinds := make([]string, len(r.Received))
	for i, m := range r.Received {
		kinds[i] = describe(r, m)
	}
	return fmt.Errorf("the site received %d %s, expected %d: %s", got, what, want,
		strings.Join(kinds, "; "))
}

func requestOnce(r *sim.Result, round int) error {
	request, times := r.World.Script.Wanted(), 0
	for _, m := range r.Received {
		n := strings.Count(m.Text, request)
		times += n
		if n > 0 && (m.Kind != wire.KindRound || m.Frame.Round != round) {
			return fmt.Errorf("the request stands in %s", describe(r, m))
		}
	}
	if times != 1 {
		return fmt.Errorf("the request reached the site %d times", times)
	}
	return nil
}

func leanRounds(r *sim.Result) error {
	later := 0
	for _, m := range r.Of(wire.KindRound) {
		if m.Frame.Round < 2 {
			continue
		}
		later++
		if static := repeated(m.Text, r); static != "" {
			return fmt.Errorf("the ROUND of round %d holds %q", m.Frame.Round, static)
		}
	}
	if later == 0 {
		return fmt.Errorf("there was no ROUND after the first")
	}
	return nil
}

func helloIsWhole(r *sim.Result) error {
	s := r.World.Script
	for _, part := range []string{
		wire.Contract(), "CAPS:\n" + strings.Join(s.Able(), ",") + "\n",
		"DENY:\n" + strings.Join(s.Denied(), ",") + "\n", "ACTION: handshake-only",
	} {
		if err := holds(r, wire.KindHello, 0, part); err != nil {
			return err
		}
	}
	return nil
}

func helloIsNoQuestion(r *sim.Result) error {
	hello := r.Of(wire.KindHello)
	if len(hello) != 1 {
		return fmt.Errorf("HELLO was sent %d times", len(hello))
	}
	if piece := pieceOf(hello[0].Text, r.World.Script.Wanted()); piece != "" {
		return fmt.Errorf("the HELLO holds %q of the request", piece)
	}
	return nil
}

func resyncIsHello(r *sim.Result) error {
	hello, resync := r.Of(wire.KindHello), r.Of(wire.KindResync)
	if len(hello) == 0 || len(resync) == 0 {
		return fmt.Errorf("%d HELLO and %d RESYNC were sent", len(hello), len(resync))
	}
	_, rest, _ := strings.Cut(resync[0].Text, "\n\n")
	if rest != hello[0].Text {
		return fmt.Errorf("the RESYNC differs from the HELLO:\n%s", resync[0].Text)
	}
	return nil
}

func repairNames(r *sim.Result, round int, codes string) error {
	for _, m := range r.Of(wire.KindRepair) {
		if m.Frame.Round != round {
			continue
		}
		parts := make([]string, len(m.Errors))
		for i, c := range m.Errors {
			parts[i] = string(c)
		}
		if got := strings.Join(parts, ","); got != codes {
			return fmt.Errorf("the REPAIR of round %d names %s", round, got)
		}
		return nil
	}
	return fmt.Errorf("no REPAIR of round %d was sent", round)
}

func lastRound(r *sim.Result, round int) error {
	if len(r.Received) == 0 {
		return fmt.Errorf("nothing was sent")
	}
	m := r.Received[len(r.Received)-1]
	if m.Kind != wire.KindRound || m.Frame.Round != round {
		return fmt.Errorf("the last message is %s", describe(r, m))
	}
	return nil
}

// holds tells whether a message of this kind (and round, if not 0) holds the text.
func holds(r *sim.Result, kind wire.Kind, round int, text string) error {
	for _, m := range r.Of(kind) {
		if round != 0 && m.Frame.Round != round {
			continue
		}
		if strings.Contains(m.Text, text) {
			return nil
		}
		return fmt.Errorf("%s does not hold %q:\n%s", describe(r, m), text, m.Text)
	}
	return fmt.Errorf("no %s of round %d was sent", kind, round)
}
