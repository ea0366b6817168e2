//go:build linux

package killloop

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"bridgesim/bridge/agent/command/ledger"
	"bridgesim/bridge/clock"
	"bridgesim/fakesite"
	"bridgesim/fakesite/web"
	"bridgesim/sim/engine/chromium"
)

// scale is how much faster site, back-off and budgets run than the browser.
const scale = 60

const request = "把构建修绿，并说明原因"

// world is one cell's own browser context, site, state folder and agent.
type world struct {
	*WithT
	t      *testing.T
	lease  *chromium.Lease
	site   *web.Server
	part   *part
	dir    string // holds state and ledger
	takes  time.Duration
	ends   []*ending
	child  *child // the process that runs, or ran last
	ledger *ledger.Ledger
}

func newWorld(t *testing.T, p *part) *world {
	t.Helper()
	w := &world{WithT: NewWithT(t), t: t, part: p, dir: t.TempDir()}
	script := p.site
	if script == nil {
		script = quiet
	}
	var err error
	w.site, err = web.Start(web.Options{
		Site: fakesite.New(fakesite.Config{
			Timing: fakesite.Instant(), Entropy: clock.Seeded(1), Script: *script,
		}),
		Clock: clock.Scaled(scale), Scale: scale,
	})
	w.Expect(err).NotTo(HaveOccurred())
	t.Cleanup(func() { w.Expect(w.site.Close()).To(Succeed()) })
	w.lease, err = pool.Acquire(t.Context())
	w.Expect(err).NotTo(HaveOccurred())
	// Cleanups run backwards: the pages go before their server does.
	t.Cleanup(func() { w.Expect(w.lease.Close()).To(Succeed()) })
	w.ledger, err = ledger.Open(filepath.Join(w.dir, "ledger"))
	w.Expect(err).NotTo(HaveOccurred())
	t.Cleanup(func() {
		w.Expect(w.ledger.Close()).To(Succeed())
		w.Eventually(w.orphans).WithTimeout(patience).Should(BeEmpty())
	})
	t.Cleanup(func() {
		if t.Failed() {
			w.explain()
		}
	})
	return w
}

// explain logs all that a failure needs.
func (w *world) explain() {
	for i, e := range w.ends {
		e.told(w.t, i+1)
	}
	journal, _ := os.ReadFile(w.journal())                            // what is there is shown
	effects, _ := os.ReadFile(filepath.Join(w.dir, "ledger/effects")) // same
	w.t.Logf("journal:\n%s\neffects:\n%s", journal, effects)
	for i, m := range w.received() {
		w.t.Logf("the site received %d: %.120q", i+1, m.Text)
	}
}

func (w *world) journal() string { return filepath.Join(w.dir, "state", "journal") }

// run is one process of the bridge. The request is given where no journal names it.
func (w *world) run(resume bool, dies func(step) bool) *ending {
	w.t.Helper()
	args := []string{
		"bridge", "--cdp", w.lease.Endpoint, "--browser-context", w.lease.ContextID,
		"--site", w.site.URL(), "--state", filepath.Join(w.dir, "state"),
		"--agent", fmt.Sprintf("'%s' agent --ledger '%s' --takes %s", program,
			filepath.Join(w.dir, "ledger"),
			w.takes),
		"--scale", strconv.Itoa(scale),
	}
	if resume {
		args = append(args, "--resume")
	}
	if resume && w.part.caps != "" {
		args = append(args, "--capabilities", w.part.caps)
	}
	if !resume || w.nothingDurable() {
		args = append(args, request)
	}
	c, err := start(program, args...)
	w.Expect(err).NotTo(HaveOccurred())
	w.child = c
	defer c.end() // also when a failed expectation leaves from inside a step
	end, err := c.play(dies)
	w.ends = append(w.ends, end)
	w.Expect(err).NotTo(HaveOccurred())
	return end
}

// nothingDurable tells whether no record is in the journal: no whole second line.
func (w *world) nothingDurable() bool {
	data, err := os.ReadFile(w.journal())
	if os.IsNotExist(err) {
		return true
	}
	w.Expect(err).NotTo(HaveOccurred())
	return bytes.Count(data, []byte("\n")) < 2
}

// killAt lets the next process die at a place.
func (w *world) killAt(resume bool, p place) *ending {
	w.t.Helper()
	end := w.run(resume, at(p))
	if p.strike == torn && end.killed {
		w.tear()
	}
	return end
}

// begin is the kill that comes before a part, and what happens behind it.
func (w *world) begin() {
	w.t.Helper()
	if w.part.first == nil {
		return
	}
	w.Expect(w.killAt(false, *w.part.first).killed).To(BeTrue(), "the first kill was not reached")
	if w.part.between != nil {
		w.part.between(w)
	}
}

// loseJournal removes the journal: the state folder of another machine, or an eager cleaner.
func (w *world) loseJournal() { w.Expect(os.Remove(w.journal())).To(Succeed()) }

// tear cuts the last record of the journal in half, as a write that a crash cut short.
func (w *world) tear() {
	data, err := os.ReadFile(w.journal())
	w.Expect(err).NotTo(HaveOccurred())
	w.Expect(bytes.HasSuffix(data, []byte("\n"))).To(BeTrue())
	begin := bytes.LastIndexByte(data[:len(data)-1], '\n') + 1
	w.Expect(begin).To(BeNumerically(">", 0), "there is no record to tear")
	w.Expect(os.Truncate(w.journal(), int64(begin+(len(data)-begin)/2))).To(Succeed())
}

func (w *world) received() (all []fakesite.Entry) {
	w.site.Do(func(_ time.Time, s *fakesite.Site) {
		for _, e := range s.Ledger().Received() {
			all = append(all, *e)
		}
	})
	return all
}

// answer is what the site wrote to a message.
func (w *world) answer(messageID string) (text string) {
	w.site.Do(func(_ time.Time, s *fakesite.Site) {
		if e := s.Ledger().Answer(messageID); e != nil {
			text = e.Text
		}
	})
	return text
}

// orphans are the living processes that work in our folder.
func (w *world) orphans() (found []string) {
	dirs, _ := filepath.Glob("/proc/[0-9]*") // the pattern is right
	for _, dir := range dirs {
		line, err := os.ReadFile(filepath.Join(dir, "cmdline"))
		if err == nil && strings.Contains(string(line), w.dir) {
			found = append(found, strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return found
}
