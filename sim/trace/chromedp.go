package trace

import (
	"regexp"
	"strings"
	"time"
)

// T4: chromedp with WithBrowserDebugf, WithConnDebugf, WithPipeDebugf or, older, WithDebugf.
//
//	2024/03/21 17:18:46 -> {"id":1,"method":"Target.getTargets"}
//	INFO[2021-02-20 19:02:21] <- {"method":"Inspector.targetCrashed"}
//
// The prefix is the caller's. No line tells of a disconnect: the log ends, or an error follows.
var (
	chromedpLine = regexp.MustCompile(`(?:^|\s)(->|<-)\s+\{`)
	// chromedpError are lines of WithErrorf, and of programs that print what a call failed with.
	chromedpError = regexp.MustCompile(`(?i)context (?:canceled|deadline exceeded)|` +
		`lost the connection to the browser|executor for "|could not (?:unmarshal|retrieve|dial|read)|` +
		`unknown command or event|ignoring malformed|websocket|use of closed network connection|` +
		`connection reset|broken pipe|\bEOF\b|page crash`)
)

func chromedpClaims(h *head) int {
	return h.count(func(s string) bool { return chromedpLine.MatchString(s) })
}

func chromedpStarts(s string) bool {
	return chromedpLine.MatchString(s) || chromedpError.MatchString(s) && !strings.Contains(s, `":`)
}

func readChromedp(r *reading) error {
	return r.each(func(line string) error {
		m := chromedpLine.FindStringSubmatchIndex(line)
		if m == nil {
			return r.complaint(line, chromedpError, "-> or <- and a JSON message")
		}
		e := Entry{Line: r.lines.number, Dir: Received, At: stampIn(line[:m[2]])}
		if line[m[2]:m[3]] == "->" {
			e.Dir = Sent
		}
		j, err := r.body(line[m[3]:], chromedpStarts)
		if j == nil || err != nil {
			return err
		}
		return r.message(e, j)
	})
}

// complaint takes a line that tells of an error of the client; any other was not understood.
func (r *reading) complaint(line string, errors *regexp.Regexp, want string) error {
	if !errors.MatchString(line) {
		r.strange(r.lines.number, line, want)
		return nil
	}
	return r.add(Entry{
		Line: r.lines.number, Dir: Told, Kind: Complaint, At: stampIn(line),
		Text: strings.TrimSpace(line),
	})
}

// httpDate reads "Thu, 02 Nov 2017 18:57:08 GMT".
func httpDate(s string) Stamp {
	t, err := time.Parse(time.RFC1123, s)
	if err != nil {
		return Stamp{Basis: NoTime}
	}
	return Stamp{Basis: Wall, At: t.UTC()}
}
