package trace

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// What several formats share: numbers, times, and the heads of messages that were cut.

var (
	methodIn = regexp.MustCompile(`"method"\s*:\s*"([A-Za-z]+\.[A-Za-z]+)"`)
	idIn     = regexp.MustCompile(
		`^\s*\{(?:\s*"sessionId"\s*:\s*"[^"]*"\s*,)?\s*"id"\s*:\s*(\d{1,18})\b`)
	sessionIn = regexp.MustCompile(`"sessionId"\s*:\s*"([0-9A-Fa-f]{32})"`)

	isoIn   = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)`)
	localIn = regexp.MustCompile(`(\d{4})[/-](\d\d)[/-](\d\d)[ T](\d\d:\d\d:\d\d)([.,]\d{1,9})?`)
	deltaAt = regexp.MustCompile(`\s\+(\d+)(ms|s|m|h|d)$`)
)

func number(s string, to *int64) bool {
	n, err := strconv.ParseInt(s, 10, 64)
	if err == nil {
		*to = n
	}
	return err == nil
}

// stampIn finds the last time in a prefix; what stands nearest to the message is the message's.
func stampIn(prefix string) Stamp {
	if all := isoIn.FindAllString(prefix, -1); all != nil {
		if t, err := time.Parse(time.RFC3339Nano, all[len(all)-1]); err == nil {
			return Stamp{Basis: Wall, At: t.UTC()}
		}
	}
	all := localIn.FindAllStringSubmatch(prefix, -1)
	if all == nil {
		return Stamp{Basis: NoTime}
	}
	m := all[len(all)-1]
	text := m[1] + "-" + m[2] + "-" + m[3] + "T" + m[4] + strings.Replace(m[5], ",", ".", 1)
	t, err := time.Parse("2006-01-02T15:04:05.999999999", text)
	if err != nil {
		return Stamp{Basis: NoTime}
	}
	return Stamp{Basis: Local, At: t}
}

// epoch is a wall clock in seconds since 1970. A float64 of today holds microseconds, not more.
func epoch(seconds float64) Stamp {
	if seconds < 1e9 || seconds > 1e11 {
		return Stamp{Basis: NoTime}
	}
	return Stamp{Basis: Wall, At: time.UnixMicro(int64(math.Round(seconds * 1e6))).UTC()}
}

// ticks adds up "+Nms", the time since the line before of one counter. It is a time only while no
// line is missing: one without it, or a second counter, and the rest is unknown.
type ticks struct {
	name   string
	sum    time.Duration
	broken bool
}

func (t *ticks) stamp(name, delta, unit string) Stamp {
	if t.name == "" {
		t.name = name
		return Stamp{Basis: Relative} // what it counts from lies before the log
	}
	if t.name != name || delta == "" {
		t.broken = true
	}
	n, err := strconv.ParseInt(delta, 10, 32)
	if t.broken || err != nil {
		t.broken = true
		return Stamp{Basis: NoTime}
	}
	t.sum += time.Duration(n) * units[unit]
	return Stamp{Basis: Relative, Since: t.sum}
}

var units = map[string]time.Duration{
	"ms": time.Millisecond, "s": time.Second, "m": time.Minute, "h": time.Hour, "d": 24 * time.Hour,
}

// tail cuts "+Nms" off a line of a terminal.
func tail(s string) (rest, delta, unit string) {
	m := deltaAt.FindStringSubmatchIndex(s)
	if m == nil {
		return s, "", ""
	}
	return s[:m[0]], s[m[2]:m[3]], s[m[4]:m[5]]
}
