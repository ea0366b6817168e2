package wire

import (
	"strings"
	"unicode/utf8"
)

// maxObjective bounds HELLO's label, in characters: a longer text is a task, not a label.
const maxObjective = 80

// Offer is what pi declares when it opens a session, and what an acknowledgement is held against.
type Offer struct {
	SID      string
	HV, CV   int
	Contract string // contract tag, "p2.478d1ef2"
	Cap      string // capability tag, "c1.5fc20bbe"
	QID      string

	Features     []string // what must be acknowledged
	Capabilities []string // in declaration order, as printed
	Denials      []string
	Objective    string // one line, never the request
}

// NewOffer declares the constants of this package for one session: sid as [IsSID] wants it, request
// the user's full text (only its digest is used), capabilities and denials as given, nil for none.
//
// "A handshake turn must not contain anything that reads like a question": an objective that is
// empty, over 80 characters, has a question mark, or contains the request becomes
// [DefaultObjective]. White space in it becomes single spaces.
func NewOffer(sid, request, objective string, capabilities, denials []string) Offer {
	return Offer{
		SID: sid, HV: HandshakeVersion, CV: ContractVersion,
		Contract: ContractTag(), Cap: CapabilityTag(capabilities, denials), QID: QID(request),
		Features: RequiredFeatures(), Capabilities: capabilities, Denials: denials,
		Objective: label(objective, request),
	}
}

func label(objective, request string) string {
	flat := flatten(objective)
	asked := flatten(request)
	switch {
	case flat == "", utf8.RuneCountInString(flat) > maxObjective, strings.ContainsAny(flat, "?？"),
		asked != "" && strings.Contains(flat, asked):
		return DefaultObjective
	}
	return flat
}

func flatten(s string) string { return strings.Join(strings.Fields(s), " ") }

// The fixed parts of HELLO between its values.
const (
	helloNote = `

ACTION: handshake-only
NOTE:
本轮是握手轮，不是任务轮。请只输出下面 ACK-TEMPLATE 那个代码块并填好字段，
不要产出方案，不要回答 OBJECTIVE 里的目标。真正的任务在紧接着的下一条消息里。

CAPS:
`
	helloDeny      = "\n\nDENY:\n"
	helloAck       = "\n\nACK-TEMPLATE:\n"
	helloObjective = "\n\nOBJECTIVE:\n"
	helloContract  = "\n\nCONTRACT:\n"
)

// Hello is the HELLO message, "sent once per conversation". It holds the static protocol context
// and never the request, which travels in ROUND 1.
func (o Offer) Hello() string {
	var b strings.Builder
	b.Grow(o.helloSize())
	o.writeHello(&b)
	return b.String()
}

// Resync is the RESYNC message: its header, a blank line, and HELLO word for word. "Same
// conversation, same checkpoint, but the static state is redeclared."
func (o Offer) Resync() string {
	var b strings.Builder
	b.Grow(len("# RESYNC pi-bridge/1\n\n") + o.helloSize())
	writeHeader(&b, KindResync)
	b.WriteString("\n\n")
	o.writeHello(&b)
	return b.String()
}

// Resume is the RESUME message: the last confirmed checkpoint and the round to go on at. "No
// contract or capability text is resent."
func (o Offer) Resume(ck Checkpoint, next int) string {
	var b strings.Builder
	b.Grow(160 + len(o.SID) + len(o.Contract) + len(o.Cap) + len(ck.Key))
	writeHeader(&b, KindResume)
	b.WriteByte('\n')
	o.writeIdentity(&b)
	b.WriteString("\nCK: ")
	writeInt(&b, ck.Round)
	b.WriteByte(':')
	b.WriteString(ck.Prev())
	b.WriteString("\nNEXT: ")
	writeInt(&b, next)
	return b.String()
}

// HS is the acknowledgement that the offer asks for, as HELLO's ACK-TEMPLATE shows it: no fence, no
// final line break. It is ChatGPT's to send, in a code block.
func (o Offer) HS() string {
	var b strings.Builder
	b.Grow(256)
	o.writeHS(&b)
	return b.String()
}

func (o Offer) writeHello(b *strings.Builder) {
	writeHeader(b, KindHello)
	b.WriteByte('\n')
	o.writeIdentity(b)
	b.WriteString("\nQID: ")
	b.WriteString(o.QID)
	b.WriteString("\nREQ: ")
	writeList(b, o.Features)
	b.WriteString(helloNote)
	writeList(b, o.Capabilities)
	b.WriteString(helloDeny)
	writeList(b, o.Denials)
	b.WriteString(helloAck)
	o.writeHS(b)
	b.WriteString(helloObjective)
	b.WriteString(o.Objective)
	b.WriteString(helloContract)
	b.WriteString(contract)
}

// helloSize bounds the length of HELLO, so that its builder grows once.
func (o Offer) helloSize() int {
	n := 320 + len(helloNote) + len(contract) + len(o.Objective) + len(o.QID) +
		2*(len(o.SID)+len(o.Contract)+len(o.Cap))
	for _, list := range [...][]string{o.Features, o.Features, o.Capabilities, o.Denials} {
		for _, s := range list {
			n += len(s) + 1
		}
	}
	return n
}

func (o Offer) writeHS(b *strings.Builder) {
	writeHeader(b, KindHS)
	b.WriteString("\nTYPE: ack\n")
	o.writeIdentity(b)
	b.WriteString("\nFEAT: ")
	writeList(b, o.Features)
}

// writeIdentity writes the lines S, HV, CV and CAP that HELLO, HS and RESUME share.
func (o Offer) writeIdentity(b *strings.Builder) {
	b.WriteString("S: ")
	b.WriteString(o.SID)
	b.WriteString("\nHV: ")
	writeInt(b, o.HV)
	b.WriteString("\nCV: ")
	writeInt(b, o.CV)
	b.WriteByte(' ')
	b.WriteString(o.Contract)
	b.WriteString("\nCAP: ")
	b.WriteString(o.Cap)
}

func writeHeader(b *strings.Builder, k Kind) {
	b.WriteString("# ")
	b.WriteString(string(k))
	b.WriteString(" " + ID)
}

func writeList(b *strings.Builder, items []string) {
	for i, s := range items {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(s)
	}
}
