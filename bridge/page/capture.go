package page

import (
	"context"
	"strings"
	"unicode"

	"bridgesim/bridge/page/probe"
	"bridgesim/bridge/point"
	"bridgesim/bridge/wire"
)

// Source is a way to read a reply.
type Source string

// The sources, in the order in which they are read and believed.
const (
	SourceRecord Source = "record"
	SourceDOM    Source = "dom"
	SourceCopy   Source = "copy"
)

// SourceState is what one source gave.
type SourceState struct {
	Source   Source
	Complete bool
	Length   int    // bytes of text
	Why      string // why it is not complete, or with whom it agrees; for a person
}

// Reply is a reply that was obtained whole.
type Reply struct {
	Text      string // the record's, when the record was read
	MessageID string
	Source    Source   // where Text is from
	Agreed    []Source // who says the same; Source among them
}

// reading is one source's text. The copy button gives the text of blocks only.
type reading struct {
	complete bool
	text     string
	blocks   []string
	id       string
	why      string
	// veto: the record was read and does not have the answer whole; what the page shows proves less.
	veto bool
}

// wanted is the reply to capture.
type wanted struct{ message, answer, conversation string }

// sources is the table of sources. A later one is read only while the earlier ones decide nothing.
var sources = [...]struct {
	name Source
	read func(*Page, context.Context, *wanted) (reading, error)
}{
	{SourceRecord, (*Page).readRecord},
	{SourceDOM, (*Page).readText},
	{SourceCopy, (*Page).readCopy},
}

// Capture obtains the answer to our message after Wait proved its end. A reply counts as obtained
// when two independent sources agree, or when the record alone is complete and its turn is ours
// (readings 22). A complete source that contradicts the record makes all of them uncertain until a
// third one agrees with either.
//
// answerID may be empty when the record is readable. Errors: *CaptureError, *browser.Loss.
func (p *Page) Capture(
	ctx context.Context, messageID, answerID, conversation string,
) (Reply, error) {
	want := wanted{messageID, answerID, conversation}
	var all [len(sources)]reading
	for i := range sources {
		r, err := sources[i].read(p, ctx, &want)
		if err != nil {
			return Reply{}, err
		}
		all[i] = r
		if want.answer == "" {
			want.answer = r.id
		}
		if reply, ok := agreed(all[:i+1]); ok {
			reply.MessageID = want.answer
			return reply, nil
		}
		if all[0].veto {
			break // no further source can change the verdict
		}
	}
	if all[0].complete && !all[1].complete && !all[2].complete {
		return Reply{all[0].text, want.answer, SourceRecord, []Source{SourceRecord}}, nil
	}
	return Reply{}, refused(all[:])
}

// agreed looks for two sources that say the same. The text of an incomplete DOM that agrees is as
// good as a complete one: it says the same as the record.
func agreed(all []reading) (Reply, bool) {
	if all[0].veto {
		return Reply{}, false
	}
	for i := range all {
		if i > 0 && all[0].complete {
			break // two readings of one page do not outvote a complete record
		}
		for j := i + 1; j < len(all); j++ {
			if all[i].complete && says(&all[j], all[i].text) {
				pair := []Source{sources[i].name, sources[j].name}
				return Reply{Text: all[i].text, Source: sources[i].name, Agreed: pair}, true
			}
		}
	}
	return Reply{}, false
}

// says reports whether a source gives text. A copy button can confirm a reply of exactly one block.
func says(r *reading, text string) bool {
	if r.blocks != nil {
		blocks := wire.Blocks(text)
		return len(blocks) == 1 && len(r.blocks) == 1 && wire.SameText(blocks[0].Text, r.blocks[0])
	}
	return r.text != "" && sameReply(text, r.text)
}

func refused(all []reading) error {
	e := &CaptureError{Code: wire.CodeCapture}
	complete := 0
	for i := range all {
		r := &all[i]
		if i > 0 && all[0].veto {
			break // was not read
		}
		state := SourceState{sources[i].name, r.complete, len(r.text), r.why}
		if r.complete {
			complete++
			state.Why = "complete, and no other source agrees"
		}
		e.Sources = append(e.Sources, state)
	}
	if complete > 1 && !all[0].veto {
		e.Code = wire.CodeSourceUncertain
	}
	return e
}

func (p *Page) readRecord(ctx context.Context, want *wanted) (reading, error) {
	if !Durable(want.conversation) {
		return reading{why: "the conversation has no id on the server"}, nil
	}
	r, err := p.record(ctx, point.CaptureRead, want.conversation, want.message)
	if err != nil {
		return reading{}, err
	}
	m, state := answerIn(&r)
	out := reading{text: m.Text, id: m.ID, why: string(state)}
	out.complete = state == Finished && m.Text != ""
	out.veto = !out.complete && state != Unreadable
	return out, nil
}

func (p *Page) readText(ctx context.Context, want *wanted) (reading, error) {
	if want.answer == "" {
		return reading{why: "the answer has no id in the document"}, nil
	}
	t, err := ask(ctx, p, point.CaptureText, probe.Text, probe.MessageArgs{MessageID: want.answer})
	switch {
	case err != nil:
		return reading{}, err
	case !t.Found || t.Text == "":
		return reading{why: "the answer is not mounted"}, nil
	case !t.Bar:
		return reading{text: t.Text, why: "no action bar stands on the answer"}, nil
	}
	return reading{complete: true, text: t.Text}, nil
}

func (p *Page) readCopy(ctx context.Context, want *wanted) (reading, error) {
	if want.answer == "" {
		return reading{why: "the answer has no id in the document"}, nil
	}
	c, err := ask(ctx, p, point.CaptureCopy, probe.Copy, probe.MessageArgs{MessageID: want.answer})
	switch {
	case err != nil:
		return reading{}, err
	case !c.Found:
		return reading{why: "the answer is not mounted"}, nil
	case c.Failed > 0 || len(c.Blocks) != 1:
		return reading{why: "the copy buttons did not give exactly one block"}, nil
	}
	return reading{complete: true, blocks: c.Blocks, text: c.Blocks[0]}, nil
}

// sameReply compares a reply with one rebuilt from the page. Code blocks must be equal in canonical
// form, since a plan is executed on their strength; their language tags, which the page may not
// show, and the marks of the prose around them (bullets, emphasis, links) are not compared, its
// letters and digits are.
func sameReply(text, rebuilt string) bool {
	if wire.SameText(text, rebuilt) {
		return true
	}
	a, b := wire.Blocks(text), wire.Blocks(rebuilt)
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !wire.SameText(a[i].Text, b[i].Text) {
			return false
		}
	}
	return letters(text, a) == letters(rebuilt, b)
}

// letters keeps the letters and digits outside the blocks.
func letters(text string, blocks []wire.Block) string {
	var b strings.Builder
	no := 0
	for line := range strings.Lines(text) {
		no++
		for len(blocks) > 0 && no > blocks[0].EndLine {
			blocks = blocks[1:]
		}
		if len(blocks) > 0 && no >= blocks[0].Line {
			continue
		}
		for _, r := range prose(line) {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				b.WriteRune(r)
			}
		}
	}
	return b.String()
}

// prose drops the number of a list item: the page counts by itself.
func prose(line string) string {
	t := strings.TrimLeft(line, " \t")
	digits := strings.TrimLeft(t, "0123456789")
	if digits != t && (strings.HasPrefix(digits, ". ") || strings.HasPrefix(digits, ") ")) {
		return digits
	}
	return line
}
