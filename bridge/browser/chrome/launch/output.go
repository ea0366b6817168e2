package launch

import (
	"bytes"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
)

const (
	maxLines = 8
	maxLine  = 300
)

var listening = regexp.MustCompile(`^DevTools listening on (ws://\S+)`)

// output keeps the last lines that the browser printed and the address that it named first.
type output struct {
	forward io.Writer

	mu      sync.Mutex
	part    []byte
	lines   []string
	address string
}

// Write takes a piece of the browser's output. It never fails: a full disk at the other end must
// not end the browser.
func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.forward != nil {
		_, _ = o.forward.Write(b)
	}
	o.part = append(o.part, b...)
	for {
		line, rest, ok := bytes.Cut(o.part, []byte("\n"))
		if !ok {
			break
		}
		o.part = rest
		o.keep(strings.TrimSpace(string(line)))
	}
	if len(o.part) > maxLine {
		o.part = slices.Clone(o.part[len(o.part)-maxLine:])
	}
	return len(b), nil
}

func (o *output) keep(line string) {
	if line == "" {
		return
	}
	if m := listening.FindStringSubmatch(line); m != nil && o.address == "" {
		o.address = m[1]
	}
	if len(o.lines) == maxLines {
		o.lines = slices.Delete(o.lines, 0, 1)
	}
	o.lines = append(o.lines, line[:min(len(line), maxLine)])
}

// printf hears what chromedp has to say; it belongs to the browser's output.
func (o *output) printf(format string, args ...any) {
	fmt.Fprintf(o, "chromedp: "+format+"\n", args...)
}

func (o *output) endpoint() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	u, err := url.Parse(o.address)
	if err != nil || u.Host == "" {
		return ""
	}
	return "http://" + u.Host
}

func (o *output) last() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.lines)
}
