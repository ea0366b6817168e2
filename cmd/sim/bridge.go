package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"bridgesim/bridge"
	"bridgesim/bridge/agent/command"
	"bridgesim/bridge/browser"
	"bridgesim/bridge/browser/chrome"
	"bridgesim/bridge/clock"
	"bridgesim/bridge/page"
	"bridgesim/bridge/session"
	"bridgesim/bridge/wire"
)

// bridgeFlags are the flags of sim bridge.
type bridgeFlags struct {
	cdp, site, state, agent   string
	conversation, objective   string
	capabilities, denials     []string
	limits                    bridge.Limits
	resume                    bool
	eventsFD, stepFD          int
	scale                     float64 // hidden: for tests
	browserContext, again, me string
}

func newBridgeCommand() *cobra.Command {
	f := bridgeFlags{
		capabilities: wire.DefaultCapabilities(), denials: wire.DefaultDenials(), me: os.Args[0],
	}
	cmd := &cobra.Command{
		Use:   `bridge "request"`,
		Short: "The reference bridge as a program: relay one request, recover by itself",
		Long: `Relay one request between a ChatGPT page and a local agent, to a named end. The browser is
one that runs already with --remote-debugging-port; the page must be logged in. What happens is told
on standard error, the report goes to standard output.

The agent is any program that keeps the contract that "sim agent --help" describes. It is started
without a shell; the words of --agent are split by a shell's quoting rules.

The state folder holds one session. After a crash, a kill or a stop --resume goes on with it:
nothing is sent twice, and no plan is executed twice. The request may then be left out.

Exit codes:
` + outcomeHelp() + `
Like everywhere 2 is a wrong call, and 3 a machine that lacks something: no browser at --cdp, or a
state folder that another process holds.`,
		Example: `  sim bridge --cdp http://127.0.0.1:9222 --site https://chatgpt.com --state ~/.pi/1 \
    --agent "sim agent --ledger /tmp/agent" "make the build green"
  sim bridge --cdp http://127.0.0.1:9222 --site https://chatgpt.com --state ~/.pi/1 \
    --agent "sim agent --ledger /tmp/agent" --resume`,
		Args: atMostOne,
	}
	f.register(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		f.again = f.command(cmd)
		return f.run(cmd.Context(), strings.Join(args, ""), cmd.OutOrStdout(), cmd.ErrOrStderr())
	}
	return cmd
}

func atMostOne(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return usage("put the request in quotes", "%q takes one request, got %d words",
			cmd.CommandPath(), len(args))
	}
	return nil
}

func (f *bridgeFlags) register(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.SortFlags = false
	fl.StringVar(&f.cdp, "cdp", "",
		"DevTools address of the browser, http://127.0.0.1:9222 (required)")
	fl.StringVar(&f.site, "site", "", "address of the site, https://chatgpt.com (required)")
	fl.StringVar(&f.state, "state", "", "state folder of this session (required)")
	fl.StringVar(&f.agent, "agent", "", "program that executes plans, with its arguments (required)")
	fl.BoolVar(&f.resume, "resume", false, "go on with the session in the state folder")
	fl.StringVar(&f.conversation, "conversation", "", "work in this conversation: address or id")
	fl.Var(textFlag(&f.objective), "objective", "short label in HELLO, never the request itself")
	fl.Var(namesFlag(&f.capabilities), "capabilities", "what the agent can do")
	fl.Var(namesFlag(&f.denials), "denials", "what it must not do")
	fl.IntVar(&f.limits.Rounds, "rounds", 0, "stop after so many rounds; 0 = no limit")
	fl.DurationVar(&f.limits.Wall, "wall", 0, "stop after this time, restarts included; 0 = no limit")
	fl.DurationVar(&f.limits.PerRound, "per-round", 0, "stop when a round takes longer; 0 = no limit")
	fl.IntVar(&f.eventsFD, "events-fd", 0,
		"write every operation and note as NDJSON to this descriptor")
	fl.IntVar(&f.stepFD, "step-fd", 0,
		"write the address of every operation to this descriptor and wait for a byte each time")
	fl.Float64Var(&f.scale, "scale", 1, "run budgets and back-off so many times faster")
	fl.StringVar(&f.browserContext, "browser-context", "", "open tabs in this browser context")
	for _, name := range []string{"scale", "browser-context"} {
		_ = fl.MarkHidden(name) // fails on a typo only
	}
	for _, name := range []string{"cdp", "site", "state", "agent"} {
		_ = cmd.MarkFlagRequired(name) // same
	}
}

// command is the call that goes on with this session: the flags as they were given, and --resume.
func (f *bridgeFlags) command(cmd *cobra.Command) string {
	words := []string{plainOrQuoted(f.me), "bridge"}
	cmd.Flags().Visit(func(g *pflag.Flag) {
		switch g.Name {
		case "resume", "events-fd", "step-fd":
			return
		}
		words = append(words, "--"+g.Name, plainOrQuoted(g.Value.String()))
	})
	return strings.Join(append(words, "--resume"), " ")
}

// plainOrQuoted quotes a word for a shell only where a shell needs it.
func plainOrQuoted(word string) string {
	if word != "" && !strings.ContainsFunc(word, func(r rune) bool {
		return !strings.ContainsRune(plainRunes, r)
	}) {
		return word
	}
	return shellQuoted(word)
}

const plainRunes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:,=@%+"

// run is the whole flow: check the call, open the session, find the browser, relay, report.
func (f *bridgeFlags) run(ctx context.Context, request string, out, errs io.Writer) error {
	if err := f.check(request); err != nil {
		return err
	}
	w, err := f.watcher(errs)
	if err != nil {
		return err
	}
	store, err := f.open()
	if err != nil {
		return err
	}
	report, err := f.relay(w.until(ctx), request, w, store)
	if err = errors.Join(err, store.Close()); err != nil {
		return bridgeError(err)
	}
	if report.Next == "" && f.canGoOn(report.Outcome) {
		report.Next = f.again
	}
	if _, err := fmt.Fprintln(out, printableLines(report.String())); err != nil {
		return err
	}
	if code := exitOf(report.Outcome); code != exitPass {
		return &ExitError{Code: code}
	}
	return nil
}

// check refuses what can be judged without touching anything.
func (f *bridgeFlags) check(request string) error {
	at, err := url.Parse(f.site)
	switch {
	case err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https":
		return usage("want https://chatgpt.com", "--site: %.80q is not the address of a site", f.site)
	case request == "" && !f.resume:
		return usage(`give it in quotes, or --resume`, "sim bridge needs a request")
	case len(request) > wire.MaxInput:
		return usage("", "the request is longer than %d bytes", wire.MaxInput)
	case f.limits.Rounds < 0 || f.limits.Wall < 0 || f.limits.PerRound < 0:
		return usage("want 0 or more", "--rounds, --wall and --per-round: a limit is negative")
	case f.scale <= 0:
		return usage("", "--scale: want a number above 0")
	}
	f.site = strings.TrimSuffix(f.site, "/")
	if strings.Contains(f.conversation, "/") {
		id := page.ConversationOf(f.site, f.conversation)
		if id == "" {
			return usage("want "+f.site+"/c/ID, or the id", "--conversation: %.80q is no conversation of %s",
				f.conversation, f.site)
		}
		f.conversation = id
	}
	return nil
}

// open opens the state folder and judges its journal before anything else is touched. One that is
// damaged counts as lost, and is the bridge's matter.
func (f *bridgeFlags) open() (*session.FileStore, error) {
	store, err := session.OpenFolder(f.state)
	if err != nil {
		return nil, bridgeError(err)
	}
	records, _, err := store.Load()
	switch {
	case errors.Is(err, session.ErrForeign), errors.Is(err, session.ErrNewer):
	case len(records) > 0 && !f.resume:
		err = bridge.ErrBegun
	default:
		return store, nil
	}
	return nil, errors.Join(bridgeError(err), store.Close())
}

// relay runs the bridge, once a browser answers.
func (f *bridgeFlags) relay(
	ctx context.Context, request string, w *watcher, store *session.FileStore,
) (bridge.Report, error) {
	c := clock.Scaled(f.scale)
	words, err := command.Words(f.agent)
	if err != nil {
		return bridge.Report{}, usage("", "--agent: %w", err)
	}
	program, err := command.New(command.Config{
		Words: words, Dir: filepath.Join(f.state, "agent"), Clock: c, Tell: w.tell,
	})
	if err != nil {
		return bridge.Report{}, err
	}
	dialer, err := f.dialer(ctx)
	if err != nil {
		return bridge.Report{}, err
	}
	cfg := bridge.Config{
		Request: request, Objective: f.objective, Capabilities: f.capabilities, Denials: f.denials,
		Conversation: f.conversation, Site: f.site,
		Browser: dialer, Store: w.store(store), Agent: program, Clock: c, Entropy: clock.System(),
		Tracer: w,
		Limits: f.limits, Tuning: f.tuning(), Again: f.again,
	}
	w.clock = c
	if f.resume {
		return bridge.Resume(ctx, cfg)
	}
	return bridge.Run(ctx, cfg)
}

// dialer finds the browser once: a bridge that waits an hour for a browser that was never there
// helps nobody. One that is lost later is the decision table's matter.
func (f *bridgeFlags) dialer(ctx context.Context) (browser.Dialer, error) {
	options := []chrome.Option{chrome.WithHeartbeat(beatEvery, beatLimit)}
	if f.browserContext != "" {
		options = append(options, chrome.WithBrowserContext(f.browserContext))
	}
	d := chrome.NewDialer(f.cdp, options...)
	b, err := d.Dial(ctx)
	if _, lost := browser.AsLoss(err); lost {
		return nil, environment("start one with --remote-debugging-port", fmt.Errorf("--cdp: %w", err))
	}
	if errors.Is(err, context.Canceled) {
		return nil, err
	}
	if err != nil {
		return nil, usage("", "--cdp: %w", err)
	}
	return d, b.Close()
}

// The heartbeat finds a half-open socket while nothing else is on the line.
const (
	beatEvery = 10 * time.Second
	beatLimit = 20 * time.Second
)

// tuning is the default one; on a scaled clock what the browser does by itself keeps its real time.
func (f *bridgeFlags) tuning() bridge.Tuning {
	t := bridge.DefaultTuning()
	if f.scale == 1 {
		return t
	}
	const browserTime = 15 * time.Second
	real := time.Duration(f.scale * float64(browserTime))
	t.Page.ReadyLimit = max(t.Page.ReadyLimit, real)
	t.Page.SendLimit = max(t.Page.SendLimit, real)
	t.Page.ProveLimit = max(t.Page.ProveLimit, real)
	return t
}
