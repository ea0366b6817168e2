package wire

import "strings"

// The two headings of a ROUND, one of which follows its FRAME.
const (
	// RequestHeading is over the user's request, in ROUND 1.
	RequestHeading = "## 用户请求"
	// ReceiptHeading is over what the last round's plan did, from ROUND 2 on.
	ReceiptHeading = "## 上轮执行回执"
)

// repairAction is the last line of REPAIR: "the round is not advanced and nothing is executed".
const repairAction = "resend-same-round"

// FirstRound is ROUND 1: the user's request "in full, exactly once, per qid", word for word.
func FirstRound(f Frame, request string) string { return round(f, RequestHeading, request) }

// NextRound is a ROUND from 2 on: "one FRAME line plus what actually changed". Contract,
// capabilities and request are not repeated; that is where the token saving comes from.
func NextRound(f Frame, receipt string) string { return round(f, ReceiptHeading, receipt) }

func round(f Frame, heading, body string) string {
	var b strings.Builder
	b.Grow(len("# ROUND "+ID) + 4 + f.size() + len(heading) + len(body))
	writeHeader(&b, KindRound)
	b.WriteByte('\n')
	f.write(&b)
	b.WriteString("\n\n")
	b.WriteString(heading)
	b.WriteByte('\n')
	b.WriteString(body)
	return b.String()
}

// RepairRound is REPAIR: the frame of the round that failed and the codes as given, usually from
// [FaultCodes]. It does not judge them; whether a REPAIR is due is [Domain.Demand]'s answer.
func RepairRound(f Frame, codes []Code) string {
	var b strings.Builder
	b.Grow(80 + f.size() + 20*len(codes))
	writeHeader(&b, KindRepair)
	b.WriteByte('\n')
	f.write(&b)
	b.WriteString("\nERR: ")
	for i, c := range codes {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(string(c))
	}
	b.WriteString("\nACTION: " + repairAction)
	return b.String()
}
