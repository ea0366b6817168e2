package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/page/probe"
	"bridgesim/fakesite"
	"bridgesim/fakesite/web"
	"bridgesim/sim/engine/chromium"
	"bridgesim/sim/event"
)

// patience is how long a real browser may take for one act.
const patience = 20 * time.Second

// chromiumArm plays on a real page.
type chromiumArm struct {
	ctx    context.Context
	clock  *manual
	server *web.Server
	lease  *chromium.Lease
	conn   browser.Browser
	pages  []chromiumTab
}

// chromiumTab is a tab with the document that it shows.
type chromiumTab struct {
	browser.Session
	document string // the server's own name for it
}

// playChromium plays a state on a real page, in a browser context of its own.
func playChromium(ctx context.Context, pool *chromium.Pool, s *State) (answers []Answer,
	err error,
) {
	a := &chromiumArm{ctx: ctx, clock: newManual(event.Epoch)}
	defer func() { err = errors.Join(err, a.close()) }()
	if a.lease, err = pool.Acquire(ctx); err != nil {
		return nil, err
	}
	site := fakesite.New(s.Site)
	site.Block(s.Block)
	if a.server, err = web.Start(web.Options{Site: site, Clock: a.clock}); err != nil {
		return nil, err
	}
	if a.conn, err = a.lease.Dialer.Dial(ctx); err != nil {
		return nil, err
	}
	return run(ctx, a, s)
}

// close gives the context back before the site ends, so that no page sees its server go.
func (a *chromiumArm) close() error {
	var errs []error
	if a.conn != nil {
		errs = append(errs, a.conn.Close())
	}
	if a.lease != nil {
		errs = append(errs, a.lease.Close())
	}
	if a.server != nil {
		errs = append(errs, a.server.Close())
	}
	return errors.Join(errs...)
}

func (a *chromiumArm) base() string                    { return a.server.URL() }
func (a *chromiumArm) tabs() int                       { return len(a.pages) }
func (a *chromiumArm) session(tab int) browser.Session { return a.pages[tab].Session }

func textOf(body []byte) (any, error) {
	var text string
	err := json.Unmarshal(body, &text)
	return text, err
}

// answers asks everything in one evaluation: thousands of questions cost more on the wire than in
// the page. The names, arguments and answers are those of single calls.
func (a *chromiumArm) answers(tab int, list []question) ([]any, error) {
	var script strings.Builder
	script.WriteString("(async () => [")
	for i := range list {
		if list[i].label == titleOf {
			script.WriteString("document.title,\n")
			list[i].read = textOf
			continue
		}
		args, err := json.Marshal(list[i].args)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&script, "await __bridge.%s(%s),\n", list[i].name, args)
	}
	script.WriteString("])()")
	bodies, err := evaluate[[]json.RawMessage](a, tab, script.String())
	if err != nil {
		return nil, err
	}
	out := make([]any, len(list))
	for i := range list {
		if out[i], err = list[i].read(bodies[i]); err != nil {
			return nil, fmt.Errorf("%s: %w", list[i].label, err)
		}
	}
	return out, nil
}

func (a *chromiumArm) site(f func(time.Time, *fakesite.Site)) error {
	a.server.Do(f)
	return a.settle()
}

func (a *chromiumArm) advance(d time.Duration) error {
	a.clock.Advance(d)
	return a.settle()
}

// settle pushes, and waits until every page shows that push.
func (a *chromiumArm) settle() error {
	version := a.server.Tick()
	for tab := range a.pages {
		condition := fmt.Sprintf("Number(root.dataset.fakeVersion ?? -1) >= %d", version)
		if _, err := evaluate[bool](a, tab, when(condition)); err != nil {
			return err
		}
	}
	return nil
}

// when is a promise that a condition on the document comes true; root is the root element.
func when(condition string) string {
	return fmt.Sprintf(`new Promise((done) => {
  const look = () => {
    const root = document.documentElement;
    const v = root !== null && (%s);
    if (v) { watch.disconnect(); done(v); }
  };
  const watch = new MutationObserver(look);
  watch.observe(document, { attributes: true, childList: true, subtree: true });
  look();
})`, condition)
}

// evaluate runs a script of the harness in a page.
func evaluate[T any](a *chromiumArm, tab int, script string) (T, error) {
	ctx, cancel := context.WithTimeout(a.ctx, patience)
	defer cancel()
	yes, r := true, probe.Reply[T]{}
	err := a.pages[tab].Call(ctx, probe.MethodEvaluate, runtime.EvaluateParams{
		Expression: script, ReturnByValue: &yes, AwaitPromise: &yes,
	}, &r)
	if err == nil && r.Exception != "" {
		err = errors.New(r.Exception)
	}
	if err != nil {
		return r.Value, fmt.Errorf("in tab %d: %s: %w", tab, script, err)
	}
	return r.Value, nil
}

func (a *chromiumArm) open(path string) error {
	id, err := a.conn.Open(a.ctx, a.server.URL()+path)
	if err != nil {
		return err
	}
	s, err := a.conn.Attach(a.ctx, id)
	if err != nil {
		return err
	}
	// The events of the network are not compared, and they cost a browser half of a page load.
	if _, err := browser.Call(a.ctx, s, network.Disable, cdp.Empty{}); err != nil {
		return err
	}
	a.pages = append(a.pages, chromiumTab{Session: s})
	return a.arrived(len(a.pages) - 1)
}

func (a *chromiumArm) load(tab int, path string) error {
	_, err := browser.Call(a.ctx, a.session(tab), page.Navigate,
		page.NavigateParams{URL: a.server.URL() + path})
	if err != nil {
		return err
	}
	return a.arrived(tab)
}

func (a *chromiumArm) reload(tab int) error {
	if _, err := browser.Call(a.ctx, a.session(tab), page.Reload, page.ReloadParams{}); err != nil {
		return err
	}
	return a.arrived(tab)
}

// arrived waits until the tab shows another document than before, puts the probe into it, and lets
// every page show the present moment. A question that the navigation ends is asked again, of the
// document that came.
func (a *chromiumArm) arrived(tab int) error {
	t := &a.pages[tab]
	script := when(fmt.Sprintf(`root.dataset.fakeVersion !== undefined &&
    document.querySelector("meta[name=fake-document]").content !== %q &&
    document.querySelector("meta[name=fake-document]").content`, t.document))
	for {
		id, err := evaluate[string](a, tab, script)
		var ended *cdproto.Error
		switch {
		case err == nil:
			t.document = id
			if err := probe.DoInstall(a.ctx, t); err != nil {
				return err
			}
			return a.settle()
		case !errors.As(err, &ended):
			return err
		}
	}
}

func (a *chromiumArm) click(tab int, x, y float64) error {
	return a.acted(tab, func(s browser.Session) error { return click(a.ctx, s, x, y) })
}

func (a *chromiumArm) enter(tab int, modifiers int64) error {
	return a.acted(tab, func(s browser.Session) error { return pressEnter(a.ctx, s, modifiers) })
}

// acted does something that may make the page send or stop, and follows that to the site. A page
// that has a send under way says so on its root element; a toast stands there when it was refused.
func (a *chromiumArm) acted(tab int, act func(s browser.Session) error) error {
	if err := act(a.session(tab)); err != nil {
		return err
	}
	sending, err := evaluate[string](a, tab, "document.documentElement.dataset.fakeSending ?? ''")
	if err != nil {
		return err
	}
	if sending != "" {
		if err := a.until("the send reaches the site", func(e *fakesite.Entry) bool {
			return e.MessageID == sending
		}); err != nil {
			return err
		}
	}
	if err := a.settle(); err != nil || sending == "" {
		return err
	}
	_, err = evaluate[bool](a, tab, when(fmt.Sprintf(`(root.dataset.fakeSending !== %q ||
    document.querySelector("[data-testid=toast-error]") === null)`, sending)))
	return err
}

// until waits for an entry of the site's ledger.
func (a *chromiumArm) until(what string, is func(e *fakesite.Entry) bool) error {
	ctx, cancel := context.WithTimeout(a.ctx, patience)
	defer cancel()
	err := a.server.Wait(ctx, func(_ time.Time, site *fakesite.Site) bool {
		for _, e := range site.Ledger().Entries() {
			if is(e) {
				return true
			}
		}
		return false
	})
	if err != nil {
		return fmt.Errorf("waiting until %s: %w", what, err)
	}
	return nil
}

const centre = `(() => {
  const stop = document.querySelector("form button[data-testid=stop-button]");
  const box = stop.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
})()`

func (a *chromiumArm) stop(tab int) error {
	at, err := evaluate[[]float64](a, tab, centre)
	if err != nil {
		return fmt.Errorf("the stop button: %w", err)
	}
	halted := 0
	a.server.Do(func(_ time.Time, site *fakesite.Site) { halted = len(site.Ledger().Entries()) })
	if err := click(a.ctx, a.session(tab), at[0], at[1]); err != nil {
		return err
	}
	err = a.until("the stop reaches the site", func(e *fakesite.Entry) bool {
		return e.Seq > halted && e.Kind == fakesite.Halted
	})
	if err != nil {
		return err
	}
	return a.settle()
}

// effect runs a script that acts in the page and waits for a condition; false: there was nothing to
// act on, and nothing is waited for.
func (a *chromiumArm) effect(tab int, script, condition string) error {
	acts, err := evaluate[bool](a, tab, script)
	if err != nil || !acts {
		return err
	}
	if _, err := evaluate[bool](a, tab, when(condition)); err != nil {
		return err
	}
	return a.settle()
}

// follow clicks a link of the sidebar; the page shows by the entry that it marks that the site has
// changed over.
func (a *chromiumArm) follow(tab int, path string) error {
	return a.effect(tab,
		fmt.Sprintf(`(document.querySelector('nav a[href=%q]').click(), true)`, path),
		fmt.Sprintf(`location.pathname === %q &&
    (document.querySelector("nav a[aria-current=page]")?.getAttribute("href") ?? "/") === %q`,
			path, path))
}

// scroll goes to the edge of what is mounted.
func (a *chromiumArm) scroll(tab, direction int) error {
	const act = `(() => {
  const box = document.querySelector("[data-scroll-root]");
  const up = %d < 0;
  globalThis.__edge = [...document.querySelectorAll(".thread > *")].map((n) => n.className).join();
  const turns = [...document.querySelector(".thread").children];
  if (!turns.length || !turns.at(up ? 0 : -1).matches(".shell")) return false;
  const before = box.scrollTop;
  box.scrollTop = up ? 0 : box.scrollHeight;
  if (box.scrollTop !== before) box.dispatchEvent(new Event("scroll"));
  else box.dispatchEvent(new WheelEvent("wheel", { deltaY: up ? -1 : 1 }));
  return true;
})()`
	const moved = `[...document.querySelectorAll(".thread > *")].map((n) => n.className).join() !==
  globalThis.__edge`
	return a.effect(tab, fmt.Sprintf(act, direction), moved)
}

func (a *chromiumArm) choose(tab int, _ string, which int) error {
	const button = `document.querySelectorAll("[data-testid=paragen-prefer-response-button]")[%d]`
	return a.effect(tab,
		fmt.Sprintf(`((b) => (b?.click(), b !== undefined))(`+button+`)`, which-1),
		`document.querySelector("[data-testid=paragen-prefer-response-button]") === null`)
}

func (a *chromiumArm) dismiss(tab int) error {
	const button = `document.querySelector("[role=dialog] button")`
	return a.effect(tab, `((b) => (b?.click(), b !== null))(`+button+`)`, button+" === null")
}
