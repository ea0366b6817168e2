package trace

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// Format is one line of the table: a kind of log that can be imported.
type Format struct {
	ID   string // T1 to T10
	Name string // for --format
	What string // where it comes from, for a person
	// Times, Complete and Loss say what can be hoped for: whether lines are timed, whether messages
	// are whole, and whether a lost connection leaves a line.
	Times, Complete, Loss string

	// claims counts the lines of a head that look like it; of a document any number above 0.
	claims func(head *head) int
	read   func(r *reading) error
}

// formats is the table, in the order in which a tie is decided.
var formats = []Format{
	{
		ID: "T1", Name: "playwright", What: "Playwright, DEBUG=pw:protocol (add pw:browser)",
		Times: "wall, or since the line before on a terminal", Complete: "yes, unless MAX_LOG_LENGTH",
		Loss: "with pw:browser", claims: playwrightClaims, read: readPlaywright,
	},
	{
		ID: "T2", Name: "puppeteer", What: "Puppeteer, DEBUG=puppeteer:*",
		Times: "wall, or none on a terminal", Complete: "cut at 10,000 characters",
		Loss: "no", claims: puppeteerClaims, read: readPuppeteer,
	},
	{
		ID: "T3", Name: "puppeteer-old", What: "Puppeteer before the array form, one line a message",
		Times: "wall, since the line before, or none", Complete: "yes",
		Loss: "no", claims: oldPuppeteerClaims, read: readOldPuppeteer,
	},
	{
		ID: "T4", Name: "chromedp", What: "chromedp, WithBrowserDebugf or WithDebugf",
		Times: "of the caller's logger", Complete: "yes",
		Loss: "by error lines", claims: chromedpClaims, read: readChromedp,
	},
	{
		ID: "T5", Name: "rod", What: "rod, option cdp or Client.Logger",
		Times: "local seconds", Complete: "params and results",
		Loss: "by error lines", claims: rodClaims, read: readRod,
	},
	{
		ID: "T6", Name: "chromedriver", What: "ChromeDriver, --verbose",
		Times: "wall, or local when readable", Complete: "yes",
		Loss: "as WebDriver errors", claims: driverClaims, read: readDriver,
	},
	{
		ID: "T7", Name: "js-debug", What: "vscode-js-debug, trace: true",
		Times: "wall", Complete: "yes", Loss: "partly", claims: jsDebugClaims, read: readJSDebug,
	},
	{
		ID: "T8", Name: "monitor", What: "export of the Protocol monitor of DevTools",
		Times: "none", Complete: "yes", Loss: "no", claims: monitorClaims, read: readMonitor,
	},
	{
		ID: "T9", Name: "har", What: "HAR with _webSocketMessages, or its attached frames",
		Times: "wall", Complete: "yes", Loss: "never: a HAR has no close",
		claims: harClaims, read: readHAR,
	},
	{
		ID: "T10", Name: "netlog", What: "Chromium, --log-net-log",
		Times: "wall", Complete: "frame headers only", Loss: "yes, of the page's sockets",
		claims: netlogClaims, read: readNetlog,
	},
}

// Formats is the table of formats, in its order.
func Formats() []Format { return append([]Format(nil), formats...) }

// Names are the names that --format takes.
func Names() []string {
	names := make([]string, len(formats))
	for i := range formats {
		names[i] = formats[i].Name
	}
	return names
}

// head is what detection looks at: the beginning of a file.
type head struct {
	text  string
	lines []string
}

const (
	headBytes = 256 << 10
	headLines = 400
)

func headOf(b []byte) *head {
	h := &head{text: strings.TrimLeft(string(bytes.TrimPrefix(b, []byte("\ufeff"))), " \t\r\n")}
	l := newLines(bytes.NewReader(b))
	for len(h.lines) < headLines {
		s, err := l.next()
		if err != nil {
			break
		}
		h.lines = append(h.lines, s)
	}
	return h
}

// count tells how many lines of a head hold.
func (h *head) count(holds func(string) bool) (n int) {
	for _, s := range h.lines {
		if holds(s) {
			n++
		}
	}
	return n
}

// detect finds the format that claims the most lines.
func detect(b []byte) *Format {
	var best *Format
	most, h := 0, headOf(b)
	for i := range formats {
		if n := formats[i].claims(h); n > most {
			best, most = &formats[i], n
		}
	}
	return best
}

func named(name string) (*Format, error) {
	for i := range formats {
		if strings.EqualFold(formats[i].Name, name) || strings.EqualFold(formats[i].ID, name) {
			return &formats[i], nil
		}
	}
	return nil, fmt.Errorf("%w: format %q is not known: expected one of %s", ErrFormat, name,
		strings.Join(Names(), ", "))
}

// reading is one import under way.
type reading struct {
	log   *Log
	lines *lines
	table correlation
	ticks ticks
}

// Import reads a log. With format "" its form is recognised by its first lines. Errors are
// ErrFormat, ErrSyntax or ErrLimit, or those of the reader; they name file and line.
func Import(file string, in io.Reader, format string) (*Log, error) {
	beginning, rest, err := peek(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if err := readable(beginning); err != nil {
		return nil, &PlaceError{File: file, Line: 1, Err: err}
	}
	f := detect(beginning)
	if format != "" {
		f, err = named(format)
	} else if f == nil {
		err = fmt.Errorf("%w: expected a log of %s", ErrFormat, strings.Join(Names(), ", "))
	}
	if err != nil {
		return nil, &PlaceError{File: file, Line: 1, Err: err}
	}
	return f.importFrom(file, rest)
}

func (f *Format) importFrom(file string, in io.Reader) (*Log, error) {
	r := &reading{
		log:   &Log{File: file, Format: f.ID, Entries: []Entry{}, Losses: []Loss{}, Strange: []Strange{}},
		lines: newLines(in),
	}
	if err := f.read(r); err != nil {
		return nil, &PlaceError{File: file, Line: max(r.lines.number, 1), Err: err}
	}
	r.log.Lines = r.lines.number
	if len(r.log.Entries) == 0 {
		return nil, r.nothing(f)
	}
	r.log.Losses = findLosses(r.log)
	return r.log, nil
}

// nothing is the error of a log in which no message was found.
func (r *reading) nothing(f *Format) error {
	line, want := 1, "a message of "+f.What
	if s := r.log.Stopped; s != nil {
		line, want = s.Line, s.Want
	} else if len(r.log.Strange) > 0 {
		line, want = r.log.Strange[0].Line, r.log.Strange[0].Want
	}
	return &PlaceError{
		File: r.log.File, Line: line,
		Err: fmt.Errorf("%w: no message of %s in %d lines: expected %s", ErrSyntax, f.Name,
			r.log.Lines, want),
	}
}

// peek reads the beginning of a log and gives the whole of it again.
func peek(in io.Reader) (beginning []byte, whole io.Reader, err error) {
	beginning = make([]byte, headBytes)
	n, err := io.ReadFull(in, beginning)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil
	}
	beginning = beginning[:n]
	return beginning, io.MultiReader(bytes.NewReader(beginning), in), err
}

// readable refuses what no importer could read, with the way out.
func readable(b []byte) error {
	switch {
	case len(b) == 0:
		return fmt.Errorf("%w: the file is empty: expected a log", ErrSyntax)
	case bytes.HasPrefix(b, []byte{0xff, 0xfe}), bytes.HasPrefix(b, []byte{0xfe, 0xff}):
		return fmt.Errorf("%w: it is UTF-16, as PowerShell's > writes it: expected UTF-8", ErrSyntax)
	case bytes.HasPrefix(b, []byte{0x1f, 0x8b}):
		return fmt.Errorf("%w: it is compressed with gzip: expected the text", ErrSyntax)
	case bytes.IndexByte(b, 0) >= 0:
		return fmt.Errorf("%w: it holds a zero byte: expected text", ErrSyntax)
	}
	return nil
}
