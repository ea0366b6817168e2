package oracle

import (
	"strconv"
	"strings"
	"time"

	"bridgesim/bridge/wire"
	"bridgesim/fakesite"
	"bridgesim/sim/history"
)

// Reader turns the site's ledger into the events of the site lane, readings included. The world has
// one per run, or one for many runs: it remembers what it read, and explored runs differ little.
// It is not safe for concurrent use.
type Reader struct {
	request string
	denials []string
	sent    []sentText // of the run under way, by message id
	sends   map[string]said
	replies map[replyKey]reply
}

type sentText struct {
	id string
	m  *wire.Message
}

// said is a text as it was read: a message of ours, or what is wrong with it.
type said struct {
	words words
	m     *wire.Message // nil: it is none
	err   error
}

// replyKey is all that the reading of an answer depends on.
type replyKey struct {
	text  string
	kind  wire.Kind
	frame wire.Frame
	offer [3]string // sid, contract, cap
	hv    int
	cv    int
	ck    wire.Checkpoint
	next  int
}

type reply struct {
	words replyWords
	plan  wire.Plan
	needs string
}

// remembered bounds the memory of a Reader; beyond it everything is forgotten at once.
const remembered = 1024

// NewReader returns a reader for runs of this request and these denials (nil: the defaults).
func NewReader(request string, denials []string) *Reader {
	if denials == nil {
		denials = wire.DefaultDenials()
	}
	return &Reader{
		request: request, denials: denials,
		sends: map[string]said{}, replies: map[replyKey]reply{},
	}
}

// FromBodies takes the readings out of a history wherever a body is there that they can be made
// from again: an old file is then judged by its texts, not by what its world thought of them. A
// history without bodies, or without the request, comes back as it is.
func FromBodies(events []history.Event) []history.Event {
	if len(events) == 0 || events[0].Kind != kindScript || events[0].Body == "" {
		return events
	}
	out := make([]history.Event, 0, len(events))
	again := false // the plan that follows is made again from the answer's body
	for _, e := range events {
		if e.Lane == history.Site && e.Kind == kindPlan {
			if again {
				continue
			}
		} else if e.Lane == history.Site && e.Body != "" {
			again = e.Kind == string(fakesite.Answered) || e.Kind == kindEdited
			e.Text = ledgerWords(&e)
		}
		out = append(out, e)
	}
	return out
}

// ledgerWords are the words of a Text that no reading can give: conversation, ending and end.
func ledgerWords(e *history.Event) string {
	words := strings.SplitN(e.Text, " ", 3)
	n := 1
	switch e.Kind {
	case string(fakesite.Answered):
		n = 2
	case kindEdited:
		n = 0
	}
	return strings.Join(words[:min(n, len(words))], " ")
}

// Reset begins another run of the same request.
func (r *Reader) Reset() { r.sent = r.sent[:0] }

// Site appends the events of one ledger entry: the entry itself and, behind a valid PLAN, the plan.
// epoch is the start of the run.
func (r *Reader) Site(dst []history.Event, e *fakesite.Entry, epoch time.Time) []history.Event {
	out := history.Event{
		At: e.At.Sub(epoch), Lane: history.Site, Kind: string(e.Kind), Key: e.MessageID, Body: e.Text,
	}
	var got reply
	switch e.Kind {
	case fakesite.Received, fakesite.Refused, fakesite.Dropped:
		out.Text = r.sendText(e)
	case fakesite.Answered:
		got = r.answer(e.MessageID, e.Text)
		out.Text = answerText(e, epoch, &got.words)
	}
	dst = append(dst, out)
	if got.words.what == validPlan {
		dst = append(dst, got.event(out.At))
	}
	return dst
}

// Edited appends the events of an answer that the record holds in other words from now on: the
// change itself and, when it is a valid PLAN, the plan. id is the user message's, at since the
// start of the run.
func (r *Reader) Edited(dst []history.Event, id, text string, at time.Duration) []history.Event {
	got := r.answer(id, text)
	dst = append(dst, history.Event{
		At: at, Lane: history.Site, Kind: kindEdited, Key: id, Body: text,
		Text: string(got.words.append(nil)),
	})
	if got.words.what == validPlan {
		dst = append(dst, got.event(at))
	}
	return dst
}

func (r *Reader) sendText(e *fakesite.Entry) string {
	w := r.send(e.MessageID, e.Text)
	b := append(make([]byte, 0, 160), "c="...)
	b = append(b, e.Conversation...)
	b = appendWord(b, "why=", string(e.Refusal))
	return string(w.append(b))
}

func answerText(e *fakesite.Entry, epoch time.Time, w *replyWords) string {
	b := append(make([]byte, 0, 64), e.Ending...)
	b = append(b, ' ')
	if e.Ends.IsZero() {
		b = append(b, '-')
	} else {
		b = strconv.AppendInt(b, int64(e.Ends.Sub(epoch)), 10)
	}
	return string(w.append(append(b, ' ')))
}

func (p *reply) event(at time.Duration) history.Event {
	text := string(p.plan.Decision)
	if p.plan.Effects() {
		text += " effects"
	}
	if p.needs != "" {
		text += " needs=" + p.needs
	}
	return history.Event{
		At: at, Lane: history.Site, Kind: kindPlan, Round: p.plan.Frame.Round, Key: p.plan.Key,
		Text: text, Body: p.plan.Block,
	}
}

// send reads one user message and remembers it for its answer.
func (r *Reader) send(id, text string) words {
	s := r.said(text)
	if s.m != nil {
		r.sent = append(r.sent, sentText{id, s.m})
	}
	return s.words
}

// Message is wire.ParseMessage, remembered. What the message refers to is shared: read it only.
func (r *Reader) Message(text string) (wire.Message, error) {
	s := r.said(text)
	if s.m == nil {
		return wire.Message{}, s.err
	}
	return *s.m, nil
}

func (r *Reader) said(text string) said {
	if s, ok := r.sends[text]; ok {
		return s
	}
	if len(r.sends) >= remembered {
		clear(r.sends)
	}
	m, err := wire.ParseMessage(text)
	s := said{words: r.words(text, &m, err), err: err}
	if err == nil {
		s.m = &m
	}
	r.sends[text] = s
	return s
}

func (r *Reader) words(text string, m *wire.Message, err error) words {
	if err != nil {
		return broken(text)
	}
	w := words{
		kind: m.Kind, sid: m.SID, round: m.Frame.Round, prev: m.Frame.Prev, qid: m.QID, next: m.Next,
		codes: joined(m.Errors),
	}
	switch m.Kind {
	case wire.KindResume:
		w.ck = m.CK.String()
	case wire.KindRound:
		w.flags = r.asking(m)
	case wire.KindHello, wire.KindResync:
		if o := objective(text); o != wire.DefaultObjective && r.request != "" &&
			strings.Contains(o, strings.TrimSpace(r.request)) {
			w.flags = told
		}
	}
	return w
}

func (r *Reader) asking(m *wire.Message) flag {
	switch {
	case m.Request == "":
		return 0
	case wire.Canonical(m.Request) == wire.Canonical(r.request): // a composer may trim line ends
		return request
	}
	return asks
}

// broken reads a text that is no whole message: what it wants to be, and what is wrong where it
// matters.
func broken(text string) words {
	kind, ok := wire.HeaderOf(text)
	if !ok {
		return words{flags: foreign}
	}
	w := words{kind: kind, flags: malformed}
	switch kind {
	case wire.KindResume:
		if strings.Contains(text, "CONTRACT:") || strings.Contains(text, "CAPS:") {
			w.flags = static
		}
	case wire.KindResync:
		if !strings.Contains(text, "CONTRACT:") {
			w.flags = bare
		}
	}
	return w
}

// objective is the label of a HELLO.
func objective(text string) string {
	_, rest, _ := strings.Cut(text, "\nOBJECTIVE:\n")
	label, _, _ := strings.Cut(rest, "\n\nCONTRACT:")
	return label
}

// answer reads one answer, held against the message that it answers.
func (r *Reader) answer(id, text string) reply {
	m := r.message(id)
	if m == nil {
		return reply{words: replyWords{what: otherText}}
	}
	key := replyKey{
		text: text, kind: m.Kind, frame: m.Frame, offer: [3]string{m.SID, m.Contract, m.Cap},
		hv: m.HV, cv: m.CV, ck: m.CK, next: m.Next,
	}
	if got, ok := r.replies[key]; ok {
		return got
	}
	if len(r.replies) >= remembered {
		clear(r.replies)
	}
	got := r.read(m, text)
	r.replies[key] = got
	return got
}

func (r *Reader) message(id string) *wire.Message {
	for i := len(r.sent) - 1; i >= 0; i-- {
		if r.sent[i].id == id {
			return r.sent[i].m
		}
	}
	return nil
}

func (r *Reader) read(m *wire.Message, text string) reply {
	switch m.Kind {
	case wire.KindRound, wire.KindRepair:
		return r.readPlan(m, text)
	case wire.KindHello, wire.KindResync:
		_, failed := wire.Gate(offerOf(m), text)
		return gated(failed)
	case wire.KindResume:
		_, failed := wire.GateResume(offerOf(m), m.CK, m.Next, text)
		return gated(failed)
	}
	return reply{words: replyWords{what: otherText}}
}

func (r *Reader) readPlan(m *wire.Message, text string) reply {
	plan, faults := wire.CheckPlan(text, m.Frame)
	if len(faults) == 0 {
		return reply{words: replyWords{what: validPlan}, plan: plan, needs: needed(&plan, r.denials)}
	}
	_, header := wire.ReplyHeader(text)
	return reply{words: replyWords{
		what: faultyPlan, codes: joined(wire.FaultCodes(faults)), headless: !header,
	}}
}

func gated(failed []wire.Failure) reply {
	if len(failed) == 0 {
		return reply{words: replyWords{what: validAck}}
	}
	return reply{words: replyWords{what: invalidAck, codes: joined(wire.FailureCodes(failed))}}
}

// offerOf rebuilds what a message offered from its own text.
func offerOf(m *wire.Message) wire.Offer {
	return wire.Offer{
		SID: m.SID, HV: m.HV, CV: m.CV, Contract: m.Contract, Cap: m.Cap, QID: m.QID,
		Features: wire.RequiredFeatures(),
	}
}

func joined(codes []wire.Code) string {
	switch len(codes) {
	case 0:
		return ""
	case 1:
		return string(codes[0])
	}
	parts := make([]string, len(codes))
	for i, c := range codes {
		parts[i] = string(c)
	}
	return strings.Join(parts, ",")
}

// plain says which programs show beyond doubt that a plan needs a capability. It is the judge's own
// short table: what stands here no bridge may hand over while the capability is denied. A bridge
// may refuse more.
var plain = [...]struct{ capability, command string }{
	{"net", "curl"},
	{"net", "wget"},
	{"net", "ssh"},
	{"net", "scp"},
	{"net", "git push"},
	{"net", "git pull"},
	{"net", "git fetch"},
	{"net", "git clone"},
	{"gui", "xdg-open"},
	{"gui", "xdotool"},
	{"account", "passwd"},
	{"account", "npm login"},
	{"remote.config", "git remote add"},
	{"remote.config", "git remote set-url"},
	{"remote.api", "gh"},
	{"remote.api", "aws"},
	{"remote.api", "kubectl"},
}

// needed is the first denied capability that a command of the plan plainly needs, or "".
func needed(p *wire.Plan, denials []string) string {
	for _, entry := range p.Commands {
		command := strings.Trim(strings.TrimSpace(entry), "`")
		for i := range plain {
			rest, ok := strings.CutPrefix(command, plain[i].command)
			if ok && (rest == "" || rest[0] == ' ') && contains(denials, plain[i].capability) {
				return plain[i].capability
			}
		}
	}
	return ""
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}
