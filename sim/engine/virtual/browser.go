package virtual

import (
	"slices"
	"strings"
	"time"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/clock"
	"bridgesim/fakesite"
	"bridgesim/sim/event"
	"bridgesim/sim/history"
)

// Config is what a browser is made of. All but Hook are required.
type Config struct {
	Loop    *event.Loop
	Site    *fakesite.Site
	Log     *history.Log
	Entropy clock.Entropy // ids of tabs and of the messages that pages send
	SiteURL string        // where the site is, without a trailing slash: "https://chatgpt.com"
	Hook    Hook          // nil: no faults
	// Ledgerless leaves the site's ledger out of the log: the world writes it by itself.
	Ledgerless bool
}

// Browser is one browser process with its tabs. It is not safe for concurrent use; everything
// happens inside the loop's Run.
type Browser struct {
	cfg    Config
	loop   *event.Loop
	site   *fakesite.Site
	log    *history.Log
	up     bool
	frozen bool // SIGSTOP: the kernel still takes connections, nobody answers (F257)
	mute   bool // the site does not answer navigations (F303)
	tabs   []*tab
	conns  []*Conn
	queue  []queued // behind a frozen process
	seq    uint64   // orders attaches and hangs

	logged  int    // entries of the site's ledger that are in the log
	scratch []turn // of the look that is under way
	shown   memo

	choices map[string]int // message id → chosen response, from 1
}

// New starts a browser without tabs.
func New(cfg Config) *Browser {
	b := &Browser{}
	b.Reset(cfg)
	return b
}

// Reset starts another browser in the same memory; it remembers how texts are rendered. Everything
// that the browser before gave out is void.
func (b *Browser) Reset(cfg Config) {
	cfg.SiteURL = strings.TrimSuffix(cfg.SiteURL, "/")
	clear(b.tabs)
	clear(b.conns)
	clear(b.scratch)
	*b = Browser{
		cfg: cfg, loop: cfg.Loop, site: cfg.Site, log: cfg.Log, up: true,
		tabs: b.tabs[:0], conns: b.conns[:0], scratch: b.scratch[:0], shown: b.shown,
	}
}

// SetHook puts h before and after every command; nil takes it away.
func (b *Browser) SetHook(h Hook) { b.cfg.Hook = h }

func (b *Browser) now() time.Time { return b.loop.Now() }

// note appends a world event: something that happened to the browser from outside.
func (b *Browser) note(kind, key, text string) {
	b.log.Append(history.Event{
		At: b.loop.Elapsed(), Lane: history.World, Kind: kind, Key: key, Text: text,
	})
}

// logLedger appends what the site's ledger has got since the last time.
func (b *Browser) logLedger() {
	if b.cfg.Ledgerless {
		return
	}
	entries := b.site.Ledger().Entries()
	for _, e := range entries[b.logged:] {
		b.log.Append(history.Event{
			At: e.At.Sub(event.Epoch), Lane: history.Site, Kind: string(e.Kind),
			Key: e.MessageID, Text: string(e.Refusal), Body: e.Text,
		})
	}
	b.logged = len(entries)
}

func (b *Browser) tab(id browser.TargetID) *tab {
	for _, t := range b.tabs {
		if t.id == id {
			return t
		}
	}
	return nil
}

// openTab makes a tab and begins to load url in it.
func (b *Browser) openTab(url string) *tab {
	t := &tab{b: b, id: browser.TargetID(clock.Hex(b.cfg.Entropy, 16))}
	t.doc = t.load("about:blank")
	b.tabs = append(b.tabs, t)
	t.navigate(url)
	return t
}

func (b *Browser) removeTab(t *tab) {
	t.closed = true
	if i := slices.Index(b.tabs, t); i >= 0 {
		b.tabs = slices.Delete(b.tabs, i, i+1)
	}
	t.endSessions(&browser.Loss{Kind: browser.TargetClosed, Cause: errDetached})
}
