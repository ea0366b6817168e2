package scenarios

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"bridgesim/fakesite"
)

// Switch is one way in which the real site differs from day to day, as a feature turns it on.
type Switch struct {
	Name string
	// what "set to" takes: "", a number, a duration, messages, a word; "" for on and off
	Value    string
	Sentence string

	set func(o *fakesite.Options, value string) error
}

// Switches lists the switches of the site, in the order of fakesite.Options.
func Switches() []Switch { return append([]Switch(nil), switches...) }

// switches is the table. A switch that stands here is one that a scenario can turn.
var switches = []Switch{
	word("Family", "the document's family: section, article, li or b (no turn ids)",
		func(o *fakesite.Options) *string { return &o.Family }),
	word("Editor", "the composer: prosemirror or lexical",
		func(o *fakesite.Options) *string { return &o.Editor }),
	word("CodeView", "code blocks: classic, or cm (an editor view with <br> for line breaks)",
		func(o *fakesite.Options) *string { return &o.CodeView }),

	flag("NoBar", "the action bar never appears", func(o *fakesite.Options) *bool { return &o.NoBar }),
	flag("EarlyBar", "the bar flashes when thinking becomes answer, with the first piece shown",
		func(o *fakesite.Options) *bool { return &o.EarlyBar }),
	flag("StopFlicker", "the stop button goes away between pieces",
		func(o *fakesite.Options) *bool { return &o.StopFlicker }),
	flag("NoStop", "no stop button is ever seen",
		func(o *fakesite.Options) *bool { return &o.NoStop }),
	flag("OtherStop", "a read-aloud button and a chat title begin with Stop",
		func(o *fakesite.Options) *bool { return &o.OtherStop }),
	flag("AnswerNow", "a submit button Answer now stands in a form while it thinks",
		func(o *fakesite.Options) *bool { return &o.AnswerNow }),

	flag("Transient", "a new chat has the client's own address first, then the server's",
		func(o *fakesite.Options) *bool { return &o.Transient }),
	flag("NoAddress", "a new chat has no address until its first answer has ended",
		func(o *fakesite.Options) *bool { return &o.NoAddress }),

	number("Window", "how many turns are mounted; negative = all",
		func(o *fakesite.Options) *int { return &o.Window }),
	flag("MountSlow", "turns mount one by one after the composer",
		func(o *fakesite.Options) *bool { return &o.MountSlow }),
	flag("UserHTML", "user turns are rendered: fences as HTML, white space collapsed",
		func(o *fakesite.Options) *bool { return &o.UserHTML }),
	flag("UserNotice", "a notice stands in the user turn, beside its content",
		func(o *fakesite.Options) *bool { return &o.UserNotice }),
	flag("Nested", "old answers hold several message nodes",
		func(o *fakesite.Options) *bool { return &o.Nested }),

	word("DraftRestored", "a draft of the server that comes back after the composer stands",
		func(o *fakesite.Options) *string { return &o.DraftRestored }),
	lasting("DraftAfter", "when it comes back, counted from the composer",
		func(o *fakesite.Options) *time.Duration { return &o.DraftAfter }),
	lasting("LateWipe", "so long after the composer stands, whatever was typed is wiped, once",
		func(o *fakesite.Options) *time.Duration { return &o.LateWipe }),
	lasting("FallbackFor", "so long only the fallback text area exists",
		func(o *fakesite.Options) *time.Duration { return &o.FallbackFor }),
	flag("NBSP", "runs of spaces come back with U+00A0",
		func(o *fakesite.Options) *bool { return &o.NBSP }),
	number("SendNoop", "the first n clicks on Send do nothing",
		func(o *fakesite.Options) *int { return &o.SendNoop }),
	flag("Freeze", "a send is accepted, then the page's script stops for good",
		func(o *fakesite.Options) *bool { return &o.Freeze }),
	word("Title", "the title of new chats", func(o *fakesite.Options) *string { return &o.Title }),

	flag("CopyBroken", "copy buttons write nothing",
		func(o *fakesite.Options) *bool { return &o.CopyBroken }),
	flag("CopyStale", "copy buttons write what the answer before held",
		func(o *fakesite.Options) *bool { return &o.CopyStale }),
	number("RecordStatus", "the status of every read of the conversation record",
		func(o *fakesite.Options) *int { return &o.RecordStatus }),
	flag("RecordEmpty", "reads of the record give an empty one",
		func(o *fakesite.Options) *bool { return &o.RecordEmpty }),
	flag("RecordDiffers", "in reads of the record a plan has other commands than on the page",
		func(o *fakesite.Options) *bool { return &o.RecordDiffers }),

	word("Preamble", "a commentary that stands before and while it thinks",
		func(o *fakesite.Options) *string { return &o.Preamble }),
	number("PauseAt", "the percentage of the text behind which the stream pauses",
		func(o *fakesite.Options) *int { return &o.PauseAt }),
	lasting("PauseFor", "how long the stream pauses in the middle",
		func(o *fakesite.Options) *time.Duration { return &o.PauseFor }),
	flag("TwoResponses", "plans come with a second response, and a person has to choose",
		func(o *fakesite.Options) *bool { return &o.TwoResponses }),
	flag("Continue", "plans stop at half, with a button Continue generating",
		func(o *fakesite.Options) *bool { return &o.Continue }),
	flag("ToolApproval", "plans wait until a person approves a tool",
		func(o *fakesite.Options) *bool { return &o.ToolApproval }),
	flag("Handoff", "the first stream ends at once, the answer comes another way",
		func(o *fakesite.Options) *bool { return &o.Handoff }),
	flag("Canvas", "the answer stands in a side panel, the turn holds a remark",
		func(o *fakesite.Options) *bool { return &o.Canvas }),
	flag("Deferral", "while it thinks, a notice outside the turn offers a faster model",
		func(o *fakesite.Options) *bool { return &o.Deferral }),

	flag("ChallengeScript", "a healthy page holds a script of the challenge platform",
		func(o *fakesite.Options) *bool { return &o.ChallengeScript }),
	flag("NoRateDialog", "a rate limit shows no dialog, only its status tells",
		func(o *fakesite.Options) *bool { return &o.NoRateDialog }),
	number("MaxText", "the longest message in bytes",
		func(o *fakesite.Options) *int { return &o.MaxText }),

	sends("ServerError", "these sends get a 500, and nothing was accepted",
		func(f *fakesite.Faults) *fakesite.Nth { return &f.ServerError }),
	sends("Accepted500", "these sends get a 500, and were accepted and answered",
		func(f *fakesite.Faults) *fakesite.Nth { return &f.Accepted500 }),
	sends("Dropped", "these sends get a good reply, and are in no record",
		func(f *fakesite.Faults) *fakesite.Nth { return &f.Dropped }),
	sends("FailBefore", "the answers to these fail before any text",
		func(f *fakesite.Faults) *fakesite.Nth { return &f.FailBefore }),
	sends("FailMid", "the answers to these fail after half of it",
		func(f *fakesite.Faults) *fakesite.Nth { return &f.FailMid }),
	sends("FailAfter", "the answers to these fail after the whole text",
		func(f *fakesite.Faults) *fakesite.Nth { return &f.FailAfter }),
	sends("Never", "the answers to these never come",
		func(f *fakesite.Faults) *fakesite.Nth { return &f.Never }),
}

func flag(name, sentence string, at func(*fakesite.Options) *bool) Switch {
	return Switch{name, "", sentence, func(o *fakesite.Options, value string) error {
		if value != "" {
			return fmt.Errorf("switch %q takes no value", name)
		}
		*at(o) = true
		return nil
	}}
}

func word(name, sentence string, at func(*fakesite.Options) *string) Switch {
	return Switch{name, "a word", sentence, func(o *fakesite.Options, value string) error {
		if value == "" {
			return fmt.Errorf("switch %q wants a text: set it to one", name)
		}
		*at(o) = value
		return nil
	}}
}

func number(name, sentence string, at func(*fakesite.Options) *int) Switch {
	return Switch{name, "a number", sentence, func(o *fakesite.Options, value string) error {
		n, err := strconv.Atoi(value)
		if err != nil {
			return fmt.Errorf("switch %q wants a whole number, not %q", name, value)
		}
		*at(o) = n
		return nil
	}}
}

func lasting(name, sentence string, at func(*fakesite.Options) *time.Duration) Switch {
	return Switch{name, "a duration", sentence, func(o *fakesite.Options, value string) error {
		d, err := time.ParseDuration(value)
		if err != nil {
			return fmt.Errorf(`switch %q wants a time such as "20s", not %q`, name, value)
		}
		*at(o) = d
		return nil
	}}
}

// sends is a switch that meets single messages: HELLO is 1, ROUND r is r+1 in a quiet session.
func sends(name, sentence string, at func(*fakesite.Faults) *fakesite.Nth) Switch {
	return Switch{name, "messages", sentence, func(o *fakesite.Options, value string) error {
		list := at(&o.Faults)
		for _, part := range split(value) {
			n, err := strconv.Atoi(part)
			if err != nil || n < 1 {
				return fmt.Errorf(`switch %q wants messages such as "2" or "2,3", not %q`, name, value)
			}
			*list = append(*list, n)
		}
		if len(*list) == 0 {
			return fmt.Errorf(`switch %q wants messages such as "2": HELLO is 1, ROUND r is r+1`, name)
		}
		return nil
	}}
}

// turn sets one switch of the script's site. A name or a value that makes no sense is an error.
func (s *scenario) turn(name, value string) error {
	known := make([]string, len(switches))
	for i := range switches {
		known[i] = switches[i].Name
		if known[i] != name {
			continue
		}
		if err := switches[i].set(&s.script.Options, value); err != nil {
			return err
		}
		return s.script.Options.Validate()
	}
	return oneOf("switch", name, known)
}

// switchSteps turn the switches of the site.
var switchSteps = []step{
	{
		pattern:  re(`the site has the switch "([^"]*)"`),
		example:  `Given the site has the switch "NoBar"`,
		sentence: "One way in which the site differs: " + switchNames("") + ".",
		bind:     func(s *scenario) any { return func(name string) error { return s.turn(name, "") } },
	},
	{
		pattern: re(`the site has the switch "([^"]*)" set to "([^"]*)"`),
		example: `Given the site has the switch "PauseFor" set to "20s"`,
		sentence: "The same for switches with a value: a word (" + switchNames("a word") +
			"), a number (" +
			switchNames("a number") + "), a duration (" + switchNames("a duration") +
			"), or the messages that it meets, HELLO being 1 (" + switchNames("messages") + ").",
		bind: func(s *scenario) any { return s.turn },
	},
}

func switchNames(value string) string {
	var names []string
	for i := range switches {
		if switches[i].Value == value {
			names = append(names, switches[i].Name)
		}
	}
	return strings.Join(names, ", ")
}
