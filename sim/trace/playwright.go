package trace

import (
	"regexp"
	"strings"
)

// T1: Playwright with DEBUG=pw:protocol, better with pw:browser as well.
//
//	2026-11-30T20:33:17.392Z pw:protocol SEND ► {"id":1,…}        into a file
//	  pw:protocol ◀ RECV {"id":1,…} +2ms                          on a terminal
//	2026-11-30T20:33:19.001Z pw:browser <ws disconnected> ws://… code=1006 reason=
//
// The arrow stands after SEND and before RECV. With MAX_LOG_LENGTH the middle of a message is gone.
// Firefox and WebKit write the same lines with another protocol, and are refused.
var (
	playwrightLine = regexp.MustCompile(`pw:protocol\s+(SEND ►|◀ RECV)\s*`)
	playwrightWS   = regexp.MustCompile(
		`pw:browser\s+(?:\[[^\]]*\]\s*)?<(ws [a-z ]+)>\s*(\S*)\s*(.*)$`)
	playwrightAny = regexp.MustCompile(`pw:browser|<ws [a-z]`)
	closeCode     = regexp.MustCompile(`code=(\d{3,5})`)
)

const playwrightCut = "<<<<<( LOG TRUNCATED )>>>>>"

func playwrightClaims(h *head) int {
	return h.count(func(s string) bool { return playwrightLine.MatchString(s) })
}

func playwrightStarts(s string) bool {
	return playwrightLine.MatchString(s) || playwrightAny.MatchString(s)
}

func readPlaywright(r *reading) error {
	return r.each(func(line string) error {
		if m := playwrightLine.FindStringSubmatchIndex(line); m != nil {
			return r.playwrightMessage(line, m)
		}
		if m := playwrightWS.FindStringSubmatch(line); m != nil {
			return r.playwrightSocket(line, m)
		}
		if !playwrightAny.MatchString(line) {
			r.strange(r.lines.number, line, "a line of pw:protocol or pw:browser")
			return nil
		}
		return nil // what the browser itself printed
	})
}

func (r *reading) playwrightMessage(line string, m []int) error {
	e := Entry{Line: r.lines.number, Dir: Received}
	if strings.HasPrefix(line[m[2]:m[3]], "SEND") {
		e.Dir = Sent
	}
	text, delta, unit := tail(line[m[1]:])
	e.At = stampIn(line[:m[0]])
	if !e.At.Known() {
		e.At = r.counted("pw:protocol", delta, unit)
	}
	if strings.Contains(text, playwrightCut) {
		return r.opaque(e, text, "cut by MAX_LOG_LENGTH")
	}
	if foreign(text) {
		r.note("messages of Firefox or WebKit are no DevTools Protocol: record with Chromium")
		r.strange(e.Line, text, "a message of Chromium, found one of Firefox or WebKit")
		return nil
	}
	j, err := r.body(text, playwrightStarts)
	if j == nil || err != nil {
		return err
	}
	return r.message(e, j)
}

// foreign tells the protocols that Playwright speaks with other browsers.
func foreign(text string) bool {
	head := text[:min(len(text), 600)]
	return strings.Contains(head, `"pageProxyId"`) || strings.Contains(head, `"browserContextId":"`) &&
		strings.Contains(head, `"method":"Browser.enable"`) ||
		strings.Contains(head, `"method":"Target.sendMessageToTarget"`) ||
		strings.Contains(head, `"method":"Playwright.`) || strings.Contains(head, `"method":"Juggler`)
}

// playwrightSocket reads what Playwright says about its WebSocket.
func (r *reading) playwrightSocket(line string, m []string) error {
	e := Entry{Line: r.lines.number, Dir: Told, At: stampIn(line)}
	rest, _, _ := tail(m[3])
	e.Text = strings.TrimSpace(rest)
	switch m[1] {
	case "ws connected":
		e.Kind, e.Text = Opened, m[2]
	case "ws disconnected":
		e.Kind = Closed
		if c := closeCode.FindStringSubmatch(rest); c != nil {
			number(c[1], &e.Code)
		}
	case "ws error", "ws unexpected response":
		e.Kind = Complaint
	default:
		return nil // <ws preparing>, <ws connecting>
	}
	return r.add(e)
}

// counted is a time from "+Nms"; the log rounds what is longer than a second.
func (r *reading) counted(name, delta, unit string) Stamp {
	if unit != "" && unit != "ms" {
		r.note("the log rounds pauses of a second and more: times are as exact as it is")
	}
	return r.ticks.stamp(name, delta, unit)
}
