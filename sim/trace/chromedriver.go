package trace

import (
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// T6: ChromeDriver with --verbose, better with --readable-timestamp left out.
//
//	[1764600000.123][DEBUG]: DevTools WebSocket Command: Page.enable (id=7) (session_id=S) TARGET {
//	}
//	[1764600000.150][DEBUG]: DevTools WebSocket Response: Page.enable (id=7) (session_id=S) TARGET {
//	}
//	[1764600001.000][INFO]: [SESSION] RESPONSE ExecuteScript ERROR invalid session id: …
//
// The JSON reaches over several lines and ends with } at column 0. A loss stands in the WebDriver
// layer. In 2018 the lines were DEVTOOLS COMMAND Log.enable (id=1) { without a session.
var (
	driverHead = regexp.MustCompile(`\[(\d{10}\.\d{3}|\d\d-\d\d-\d{4} \d\d:\d\d:\d\d\.\d{3,6})\]` +
		`\[[A-Z]+\]: `)
	driverNew = regexp.MustCompile(`^DevTools WebSocket (Command|Response|Event): ` +
		`([A-Za-z]+\.[A-Za-z]+)(?: \(id=(\d{1,18})\))?(?: \(session_id=([0-9A-Za-z]*)\))?` +
		`(?: ([^ {]+))?\s*(\{.*)?$`)
	driverOld = regexp.MustCompile(`^DEVTOOLS (COMMAND|RESPONSE|EVENT):? ` +
		`([A-Za-z]+\.[A-Za-z]+)(?: \(id=(\d{1,18})\))?()()\s*(\{.*)?$`)
	driverLoss = regexp.MustCompile(`ERROR|disconnected|Unable to receive message|` +
		`not connected to DevTools|failed to check if window was closed|Timed out receiving message`)
	driverQuit = regexp.MustCompile(`^\[[^\]]*\] COMMAND Quit\b`)
	readable6  = regexp.MustCompile(`^(\d\d)-(\d\d)-(\d{4}) (.*)$`)
)

// methodQuit is the WebDriver command after which the end of the connection is wanted.
const methodQuit = "WebDriver.quit"

func driverClaims(h *head) int {
	return h.count(func(s string) bool { return driverHead.MatchString(s) })
}

func readDriver(r *reading) error {
	return r.each(func(line string) error {
		m := driverHead.FindStringSubmatchIndex(line)
		if m == nil {
			return r.driverBare(line)
		}
		at, text := driverStamp(line[m[2]:m[3]]), line[m[1]:]
		for _, shape := range []*regexp.Regexp{driverNew, driverOld} {
			if f := shape.FindStringSubmatch(text); f != nil {
				return r.driverMessage(at, f)
			}
		}
		if driverQuit.MatchString(text) {
			err := r.add(Entry{
				Line: r.lines.number, Dir: Sent, Kind: Request, At: at, Method: methodQuit,
			})
			return errors.Join(err, r.skipBlock(text))
		}
		if driverLoss.MatchString(text) {
			e := Entry{Line: r.lines.number, Dir: Told, Kind: Complaint, At: at, Text: text}
			return r.add(e)
		}
		return r.skipBlock(text) // HTTP and the WebDriver layer
	})
}

// driverBare takes lines without a head: the browser's own, and "from disconnected: …".
func (r *reading) driverBare(line string) error {
	switch {
	case strings.Contains(line, "disconnected: "):
		return r.add(Entry{
			Line: r.lines.number, Dir: Told, Kind: Complaint, Text: strings.TrimSpace(line),
		})
	case strings.Contains(line, "DevTools listening on "):
		return nil
	}
	r.strange(r.lines.number, line, "a line that begins with [TIME][LEVEL]:")
	return nil
}

func driverStamp(s string) Stamp {
	if f := readable6.FindStringSubmatch(s); f != nil {
		return stampIn(f[3] + "-" + f[1] + "-" + f[2] + " " + f[4])
	}
	seconds, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return Stamp{Basis: NoTime}
	}
	return epoch(seconds)
}

func (r *reading) driverMessage(at Stamp, f []string) error {
	e := Entry{Line: r.lines.number, At: at, Dir: Received}
	m := &message{Method: f[2], Session: &f[4]}
	if f[3] != "" {
		m.ID = new(int64)
		number(f[3], m.ID)
	}
	what := strings.ToLower(f[1])
	if what == "command" {
		e.Dir = Sent
	}
	block, ok, err := r.block(f[6])
	if err != nil {
		return err
	}
	if !ok {
		return r.opaque(e, `"method":"`+f[2]+`"`, "its JSON is not whole")
	}
	if what != "response" {
		m.Params = block
		return r.message(e, m)
	}
	return r.driverReply(e, m, block)
}

// driverReply: the block is the result alone; of a failure it is the error.
func (r *reading) driverReply(e Entry, m *message, block json.RawMessage) error {
	var failure struct {
		Code    *int64 `json:"code"`
		Message string `json:"message"`
	}
	if json.Unmarshal(block, &failure) == nil && failure.Code != nil && *failure.Code < 0 {
		m.Error = &struct {
			Code    int64  `json:"code"`
			Message string `json:"message"`
		}{*failure.Code, failure.Message}
	}
	return r.message(e, m)
}

// block reads the pretty JSON behind a head, up to the } at column 0. ok is false, and the place is
// noted, when it is not whole.
func (r *reading) block(first string) (b json.RawMessage, ok bool, err error) {
	line, text := r.lines.number, strings.TrimSpace(first)
	if text == "" {
		return nil, true, nil
	}
	var all strings.Builder
	all.WriteString(text)
	for n := 0; text != "}" || n == 0; n++ {
		if n == 0 && json.Valid([]byte(text)) {
			break // on one line
		}
		next, err := r.lines.next()
		switch {
		case err == io.EOF:
			r.stopped(line, first, "the } that ends this JSON, the log stops")
			return nil, false, nil
		case err != nil:
			return nil, false, err
		case driverHead.MatchString(next), n > maxJoin, all.Len() > MaxLine:
			r.lines.unread()
			r.strange(line, first, "the } that ends this JSON before the next line with a head")
			return nil, false, nil
		}
		text = strings.TrimRight(next, " ")
		all.WriteString(next + "\n")
	}
	if b = json.RawMessage(all.String()); !json.Valid(b) {
		r.strange(line, first, "JSON that is whole")
		return nil, false, nil
	}
	return b, true, nil
}

// skipBlock passes over the JSON of a line that is not about the protocol.
func (r *reading) skipBlock(text string) error {
	if !strings.HasSuffix(text, "{") && !strings.HasSuffix(text, "[") {
		return nil
	}
	for n := 0; n < maxJoin; n++ {
		next, err := r.lines.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if driverHead.MatchString(next) {
			r.lines.unread()
			return nil
		}
		if end := strings.TrimRight(next, " "); end == "}" || end == "]" {
			return nil
		}
	}
	return nil
}
