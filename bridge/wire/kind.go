package wire

// The three versions of the protocol. They are separate because one number for all of them would
// make every semantic change look like a change of the wire.
const (
	// ID names the framing ("WIRE_ID"). It changes only when message shapes stop being parseable.
	ID = "pi-bridge/1"
	// HandshakeVersion (HV) owns the semantics of the negotiation.
	HandshakeVersion = 1
	// ContractVersion (CV) owns the body of a PLAN.
	ContractVersion = 2
)

// MaxRepairs bounds the REPAIRs of one round; after that the loop stops with protocol_violation.
const MaxRepairs = 2

// MaxInput is the largest text, in bytes, that any reader of this package looks at.
const MaxInput = 1 << 20

// Kind is the first word of a message: "# KIND pi-bridge/1".
type Kind string

// The seven kinds. ChatGPT writes HS and PLAN, pi writes the others.
const (
	KindHello  Kind = "HELLO"
	KindHS     Kind = "HS"
	KindRound  Kind = "ROUND"
	KindResume Kind = "RESUME"
	KindRepair Kind = "REPAIR"
	KindResync Kind = "RESYNC"
	KindPlan   Kind = "PLAN"
)

// Kinds returns all seven kinds in the order of the specification.
func Kinds() []Kind {
	return []Kind{KindHello, KindHS, KindRound, KindResume, KindRepair, KindResync, KindPlan}
}

// HeaderOf returns the kind that the first non-blank line of text declares. It is false when that
// line is no header of exactly this wire version; "# HELLO pi-bridge/2" is none.
//
// It reads that one line only, so it is cheap enough to sort every turn of a conversation. A reply
// in a code block starts with the fence: use [ReplyHeader] for replies.
func HeaderOf(text string) (Kind, bool) {
	l := scan(text)
	for l.next() {
		if t := tidy(l.line()); t != "" {
			return parseHeader(t)
		}
	}
	return "", false
}

// ReplyHeader returns the first pi-bridge header on any line of a reply, inside a block or outside.
// A REPAIR that is answered without any header means that the remote lost the protocol context
// (RESYNC instead of a second REPAIR); this is the question to ask then.
func ReplyHeader(reply string) (Kind, bool) {
	if len(reply) > MaxInput {
		return "", false
	}
	l := scan(reply)
	for l.next() {
		if k, ok := parseHeader(tidy(l.line())); ok {
			return k, true
		}
	}
	return "", false
}

// header is the first line of a message.
func (k Kind) header() string { return "# " + string(k) + " " + ID }

// parseHeader reads a tidied line "# KIND pi-bridge/1".
func parseHeader(t string) (Kind, bool) {
	if len(t) < len("# HS ")+len(ID) || t[0] != '#' || !isSpace(t[1]) {
		return "", false
	}
	word, rest := cutWord(tidy(t[1:]))
	if tidy(rest) != ID {
		return "", false
	}
	return kindNamed(word)
}

func kindNamed(word string) (Kind, bool) {
	switch k := Kind(word); k {
	case KindHello, KindHS, KindRound, KindResume, KindRepair, KindResync, KindPlan:
		return k, true
	}
	return "", false
}
