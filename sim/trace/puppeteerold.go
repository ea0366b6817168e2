package trace

import (
	"regexp"
	"strings"
)

// T3: Puppeteer before the list form.
//
//	  puppeteer:protocol:RECV ◀ {"id":1,…} +98ms           about 2019 to 2021
//	puppeteer:protocol ◀ RECV {"id":1,…}                   before
//	[3]Thu, 02 Nov 2017 18:57:08 GMT puppeteer:protocol SEND ► {…}
var (
	oldPuppeteerLine = regexp.MustCompile(
		`puppeteer:(protocol(?::[A-Z]+)?)\s*(SEND ►|◀ RECV|►|RECV ◀|◀|► SEND)\s*`)
	oldPuppeteerJSON = regexp.MustCompile(
		`puppeteer:protocol(?::(?:SEND|RECV))?\s*(?:SEND ►|◀ RECV|►|◀)\s*\{`)
	oldPuppeteerDate = regexp.MustCompile(
		`[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT`)
)

func oldPuppeteerClaims(h *head) int {
	return h.count(func(s string) bool { return oldPuppeteerJSON.MatchString(s) })
}

func readOldPuppeteer(r *reading) error {
	return r.each(func(line string) error {
		m := oldPuppeteerLine.FindStringSubmatchIndex(line)
		if m != nil {
			return r.oldPuppeteerMessage(line, m)
		}
		if m := puppeteerErr.FindStringIndex(line); m != nil {
			return r.puppeteerError(line, m[1])
		}
		if !puppeteerAny.MatchString(line) {
			r.strange(r.lines.number, line, "a line of puppeteer:protocol")
		}
		return nil
	})
}

func (r *reading) oldPuppeteerMessage(line string, m []int) error {
	name, arrow := line[m[2]:m[3]], line[m[4]:m[5]]
	e := Entry{Line: r.lines.number, Dir: Received, At: stampIn(line[:m[0]])}
	if strings.Contains(name+arrow, "SEND") {
		e.Dir = Sent
	}
	if day := oldPuppeteerDate.FindString(line[:m[0]]); day != "" {
		e.At = httpDate(day)
	}
	text, delta, unit := tail(line[m[1]:])
	if !e.At.Known() && delta != "" {
		e.At = r.counted(name, delta, unit)
	}
	starts := func(s string) bool { return oldPuppeteerLine.MatchString(s) }
	j, err := r.body(text, starts)
	if j == nil || err != nil {
		return err
	}
	return r.message(e, j)
}
