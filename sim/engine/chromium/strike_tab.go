package chromium

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/browser/chrome"
	"bridgesim/faults"
)

// grip attaches the control connection to a tab, once. A tab that does not answer is attached to
// bare: the commands that the browser answers for the renderer still work.
func (s *Striker) grip(ctx context.Context, id browser.TargetID) (*grip, *watch, error) {
	b, w, err := s.connected(ctx)
	if err != nil {
		return nil, nil, err
	}
	s.mu.Lock()
	for _, g := range s.sessions {
		if g.tab == id && (g.Lost() == nil || errors.Is(g.Lost(), browser.ErrTargetCrashed)) {
			s.mu.Unlock()
			return g, w, nil
		}
	}
	s.mu.Unlock()
	own, err := b.Attach(ctx, id)
	if err != nil {
		if own, err = b.AttachBare(ctx, id); err != nil {
			return nil, nil, err
		}
	}
	g := &grip{Session: own.(*chrome.Session), tab: id}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sessions = append(s.sessions, g)
	return g, w, nil
}

// holds tells whether the control connection is attached to a tab.
func (s *Striker) holds(id browser.TargetID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, g := range s.sessions {
		if g.tab == id && g.Lost() == nil {
			return true
		}
	}
	return false
}

func (s *Striker) strikeTab(
	ctx context.Context, f faults.Fault, g *grip, w *watch,
) (string, error) {
	switch f.Kind {
	case faults.CrashTab:
		return crash(ctx, g)
	case faults.WedgeTab:
		return s.loop(ctx, g, w, f.Params.For)
	case faults.Reload:
		return s.moved(ctx, g, w, page.CommandReload, page.ReloadParams{})
	case faults.Away:
		return s.moved(ctx, g, w, page.CommandNavigate, page.NavigateParams{URL: f.Params.Text})
	case faults.SecondClient:
		return use(ctx, g, f.Params)
	case faults.Switched:
		return s.follow(ctx, g, w, f.Params.Text)
	case faults.Dialog:
		return s.alert(ctx, g, w)
	}
	return "", fmt.Errorf("%s: %w", f.Kind, errNoAct)
}

// crash ends the renderer. The command itself gets no reply: the crash is its answer (F221).
func crash(ctx context.Context, g *grip) (string, error) {
	err := g.Call(ctx, page.CommandCrash, cdp.Empty{}, nil)
	if !errors.Is(err, browser.ErrTargetCrashed) {
		return "", fmt.Errorf("the renderer did not crash: %w", err)
	}
	return fmt.Sprintf("the browser reports Inspector.targetCrashed for %s", g.tab), nil
}

// mine marks what the striker says in a page, so that its news is told from the page's own.
const mine = "bridgesim striker"

// loop keeps the renderer busy for d, for good with 0, and returns when the loop runs: it says so
// on the console before it begins, and the news leaves the renderer at once.
func (s *Striker) loop(
	ctx context.Context, g *grip, w *watch, d time.Duration,
) (string, error) {
	if err := g.Call(ctx, runtime.CommandEnable, cdp.Empty{}, nil); err != nil {
		return "", err
	}
	while := "true"
	if d > 0 {
		while = fmt.Sprintf("performance.now() - began < %d", d.Milliseconds())
	}
	mark := w.mark()
	s.jobs.Go(func() {
		// Its error is the end of the loop, of the tab or of the striker.
		_, _ = browser.Call(s.life, g.Session, runtime.Evaluate, runtime.EvaluateParams{
			Expression: fmt.Sprintf(
				"{ console.debug(%q); const began = performance.now(); while (%s); }", mine, while),
		})
	})
	_, err := await(ctx, w, mark, cdproto.EventRuntimeConsoleAPICalled,
		func(e *runtime.EventConsoleAPICalled) bool {
			return len(e.Args) > 0 && strings.Contains(string(e.Args[0].Value), mine)
		})
	if err != nil {
		return "", err
	}
	return fmt.Sprintf(
		"the page of %s said that its loop begins; the browser itself answers",
		g.tab,
	), nil
}

// loopsOver waits until the tabs in which a loop was begun answer again.
func (s *Striker) loopsOver() (string, error) {
	ctx, cancel := s.bounded()
	defer cancel()
	s.mu.Lock()
	grips := s.sessions
	s.mu.Unlock()
	for _, g := range grips {
		err := g.Call(ctx, runtime.CommandEvaluate, runtime.EvaluateParams{Expression: "1"}, nil)
		if errors.Is(err, browser.ErrSilent) {
			return "", fmt.Errorf("the loop in %s goes on: %w", g.tab, err)
		}
	}
	return "the renderer answers an evaluate", nil
}

// moved makes a new document and returns when the browser shows it.
func (s *Striker) moved(
	ctx context.Context, g *grip, w *watch, method string, params any,
) (string, error) {
	mark := w.mark()
	if err := g.Call(ctx, method, params, nil); err != nil {
		return "", err
	}
	e, err := await(ctx, w, mark, cdproto.EventPageFrameNavigated,
		func(e *page.EventFrameNavigated) bool { return e.Frame != nil && e.Frame.ParentID == "" })
	if err != nil {
		return "", err
	}
	return fmt.Sprintf(
		"the browser reports Page.frameNavigated of %s to %s",
		g.tab,
		e.Frame.URL,
	), nil
}

// use is another client at work: it brings the tab to the front and may type or send.
func use(ctx context.Context, g *grip, p faults.Params) (string, error) {
	if err := g.Call(ctx, page.CommandBringToFront, cdp.Empty{}, nil); err != nil {
		return "", err
	}
	evidence := fmt.Sprintf("session %s of another client is attached to %s", g.ID(), g.tab)
	text := p.Text
	switch {
	case text == "":
		return evidence, nil
	case p.How == faults.HowSend:
		return sendFrom(ctx, g, text)
	}
	if _, err := evaluate(ctx, g, `document.querySelector(
		"#prompt-textarea, form [contenteditable='true'], input, textarea").focus()`); err != nil {
		return "", err
	}
	params := input.InsertTextParams{Text: text}
	if err := g.Call(ctx, input.CommandInsertText, params, nil); err != nil {
		return "", err
	}
	held, err := evaluate(
		ctx,
		g,
		`document.activeElement.innerText || document.activeElement.value`,
	)
	if err != nil {
		return "", err
	}
	return evidence + ", and its input box holds " + held, nil
}

// sendFrom is a person who sends a text of their own: when nothing is on its way any more, in place
// of whatever stands in the composer. Nobody else's text is sent: the button is pressed only with
// this one there.
func sendFrom(ctx context.Context, g *grip, text string) (string, error) {
	await, byValue := true, true
	r, err := browser.Call(ctx, g.Session, runtime.Evaluate, runtime.EvaluateParams{
		Expression: fmt.Sprintf(sendScript, text), AwaitPromise: &await, ReturnByValue: &byValue,
	})
	switch {
	case err != nil:
		return "", err
	case r.ExceptionDetails != nil:
		return "", fmt.Errorf("the page threw: %s", r.ExceptionDetails.Text)
	}
	return fmt.Sprintf("a person sent a message of their own in %s", g.tab), nil
}

// sendScript watches the page until it takes a message, and then until the app has put the send
// button there.
const sendScript = `(async () => {
	const root = document.documentElement;
	const until = (is) => new Promise((resolve) => {
		if (is()) return resolve();
		const watch = new MutationObserver(() => is() && (watch.disconnect(), resolve()));
		watch.observe(root, { subtree: true, childList: true, attributes: true });
	});
	const button = (name) => document.querySelector("[data-testid=" + name + "]");
	await until(() => !root.dataset.fakeSending && !button("stop-button"));
	const editor = document.querySelector("#prompt-textarea");
	editor.focus();
	getSelection().selectAllChildren(editor);
	document.execCommand("insertText", false, %q);
	await until(() => button("send-button") && !button("send-button").disabled);
	button("send-button").click();
})()`

// evaluate returns the JSON of an expression's value; an exception in the page is an error.
func evaluate(ctx context.Context, g *grip, expression string) (string, error) {
	byValue := true
	r, err := browser.Call(ctx, g.Session, runtime.Evaluate,
		runtime.EvaluateParams{Expression: expression, ReturnByValue: &byValue})
	switch {
	case err != nil:
		return "", err
	case r.ExceptionDetails != nil:
		return "", fmt.Errorf("the page threw: %s", r.ExceptionDetails.Text)
	case r.Result == nil:
		return "", nil
	}
	return string(r.Result.Value), nil
}

// follow clicks a link of the page, which the app answers in the same document.
func (s *Striker) follow(ctx context.Context, g *grip, w *watch, path string) (string, error) {
	mark := w.mark()
	found, err := evaluate(ctx, g, fmt.Sprintf(`(() => {
		const link = [...document.querySelectorAll("a")].find(a => a.getAttribute("href") === %q);
		if (!link) return "";
		const there = location.pathname === %q;
		link.click();
		return there ? "there" : "clicked";
	})()`, path, path))
	switch {
	case err != nil:
		return "", err
	case found == `""`:
		return "", fmt.Errorf("the page of %s has no link to %s", g.tab, path)
	case found == `"there"`:
		return fmt.Sprintf("the page of %s shows %s already", g.tab, path), nil
	}
	e, err := await(ctx, w, mark, cdproto.EventPageNavigatedWithinDocument,
		func(e *page.EventNavigatedWithinDocument) bool { return strings.HasSuffix(e.URL, path) })
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("the browser reports %s in the same document of %s", e.URL, g.tab), nil
}

// alert opens a native dialog that only the striker could answer.
func (s *Striker) alert(ctx context.Context, g *grip, w *watch) (string, error) {
	mark := w.mark()
	if _, err := evaluate(ctx, g, fmt.Sprintf("void setTimeout(() => alert(%q))", mine)); err != nil {
		return "", err
	}
	e, err := await(ctx, w, mark, cdproto.EventPageJavascriptDialogOpening,
		func(e *page.EventJavascriptDialogOpening) bool { return e.Message == mine })
	if err != nil {
		return "", err
	}
	return fmt.Sprintf(
		"the browser reports Page.javascriptDialogOpening (%s) in %s",
		e.Type,
		g.tab,
	), nil
}

// answerDialogs is a person who closes what stands open.
func (s *Striker) answerDialogs() (string, error) {
	ctx, cancel := s.bounded()
	defer cancel()
	s.mu.Lock()
	grips := s.sessions
	s.mu.Unlock()
	for _, g := range grips {
		err := g.Call(ctx, page.CommandHandleJavaScriptDialog,
			page.HandleJavaScriptDialogParams{Accept: true}, nil)
		var none *cdproto.Error
		if err != nil && !errors.As(err, &none) { // no dialog is showing there
			return "", err
		}
	}
	return "the dialog was answered", nil
}
