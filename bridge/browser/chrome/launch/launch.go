package launch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/remote"

	"bridgesim/bridge/clock"
)

const (
	defaultStartLimit = 30 * time.Second
	// maxTempPath keeps Chromium's singleton socket below the 108 bytes of a unix socket's name.
	maxTempPath = 60
)

var wall = clock.Wall()

// Options of one browser. The zero value is a headless browser on a free port with a fresh profile.
type Options struct {
	Path       string        // of the program; empty: Find
	Headed     bool          // a visible window; needs a display
	ProfileDir string        // kept at Close; empty: a temporary one, removed at Close
	Port       int           // of the DevTools on 127.0.0.1; 0: a free one
	ExtraFlags []string      // "--name" or "--name=value"; they override ours
	Stderr     io.Writer     // hears what the browser prints; nil: nobody
	StartLimit time.Duration // 0: 30 s
}

// flags beyond chromedp's automation defaults: no network but the page's, no QUIC (which no TCP
// relay sees), no GPU process to wait for.
var flags = []string{
	"disable-gpu", "disable-quic", "disable-component-update", "disable-domain-reliability",
	"no-pings", "no-service-autorun", "disable-crash-reporter",
}

// Launch starts a browser and returns when its DevTools answer. The end of ctx kills it. A browser
// that does not start is a *StartError.
func Launch(ctx context.Context, o Options) (*Process, error) {
	if o.Path == "" {
		path, _, err := Find()
		if err != nil {
			return nil, err
		}
		o.Path = path
	}
	p, err := newProcess(o)
	if err != nil {
		return nil, err
	}
	if err := p.start(ctx, o); err != nil {
		p.abandon()
		return nil, p.startError(ctx, o, err)
	}
	go p.supervise()
	return p, nil
}

// newProcess makes the folders. The scratch folder holds the temporary profile and what the browser
// would otherwise leave in the system's temporary folder when it is killed.
func newProcess(o Options) (*Process, error) {
	scratch, err := os.MkdirTemp("", "bridgesim-")
	if err != nil {
		return nil, fmt.Errorf("a temporary folder for the browser: %w", err)
	}
	p := &Process{scratch: scratch, profile: o.ProfileDir, done: make(chan struct{})}
	p.output.forward = o.Stderr
	if p.profile == "" {
		p.profile = filepath.Join(scratch, "profile")
	}
	for _, dir := range []string{p.profile, p.temp()} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, errors.Join(fmt.Errorf("a folder for the browser: %w", err), os.RemoveAll(scratch))
		}
	}
	return p, nil
}

func (p *Process) temp() string { return filepath.Join(p.scratch, "t") }

// start runs the browser under chromedp's allocator. A browser command, unlike a page action, makes
// chromedp start it without attaching to a tab.
func (p *Process) start(ctx context.Context, o Options) error {
	limit := o.StartLimit
	if limit <= 0 {
		limit = defaultStartLimit
	}
	ctx, end := context.WithCancel(ctx)
	started, tell := context.WithCancel(ctx)
	defer tell()
	p.starting = started.Done()
	alloc, endAlloc := chromedp.NewExecAllocator(ctx, p.allocatorOptions(o, limit)...)
	life, endLife := chromedp.NewContext(alloc, chromedp.WithLogf(p.output.printf),
		chromedp.WithErrorf(p.output.printf))
	p.stop = func() { end(); endLife(); endAlloc() }
	p.wait = chromedp.FromContext(alloc).Allocator.Wait
	late, cancel := wall.WithTimeout(life, limit)
	defer cancel()
	stopWatch := context.AfterFunc(late, func() {
		if errors.Is(late.Err(), context.DeadlineExceeded) {
			end() // kills it, see prepare
		}
	})
	defer stopWatch()
	if _, err := chromedp.CallBrowser(life, cdpbrowser.GetVersion, cdp.Empty{}); err != nil {
		return err
	}
	p.endpoint = p.output.endpoint()
	if p.endpoint == "" {
		return errors.New("it named no DevTools address")
	}
	p.main = chromedp.FromContext(life).Browser.Process()
	p.pid.Store(int64(p.main.Pid))
	return nil
}

func (p *Process) allocatorOptions(o Options, limit time.Duration) []chromedp.ExecAllocatorOption {
	opts := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), remote.WebSocket)
	if o.Headed {
		opts = append(opts, chromedp.VisibleWindow)
	}
	for _, name := range flags {
		opts = append(opts, chromedp.Flag(name, true))
	}
	if len(p.temp()) <= maxTempPath {
		opts = append(opts, chromedp.Env("TMPDIR="+p.temp()))
	}
	opts = append(opts,
		chromedp.ExecPath(o.Path),
		chromedp.UserDataDir(p.profile),
		chromedp.Flag("remote-debugging-port", strconv.Itoa(o.Port)),
		chromedp.CombinedOutput(&p.output),
		chromedp.WSURLReadTimeout(limit),
		chromedp.ModifyCmdFunc(p.prepare),
	)
	for _, f := range o.ExtraFlags {
		opts = append(opts, extraFlag(f))
	}
	return opts
}

func extraFlag(text string) chromedp.ExecAllocatorOption {
	name, value, has := strings.Cut(strings.TrimLeft(text, "-"), "=")
	if !has {
		return chromedp.Flag(name, true)
	}
	return chromedp.Flag(name, value)
}

// prepare puts the browser into its own process group and makes the end of the context kill all of
// it, except while Close gives it time to write its profile.
func (p *Process) prepare(cmd *exec.Cmd) {
	cmd.SysProcAttr = processAttributes()
	cmd.Stdin = untilStarted(p.starting)
	cmd.Cancel = func() error {
		p.pid.Store(int64(cmd.Process.Pid))
		if p.closing.Load() {
			return os.ErrProcessDone
		}
		return p.Kill()
	}
}

// untilStarted is an empty standard input that ends when the start has succeeded or failed. It is
// there for the output: exec closes the output pipe as soon as a browser that fails has ended, read
// or not, unless its input is still being copied. So the reason of a failure is read to its end.
type untilStarted <-chan struct{}

func (u untilStarted) Read([]byte) (int, error) {
	<-u
	return 0, io.EOF
}

// StartError says why a browser did not start, what it said last and what to do.
type StartError struct {
	Path  string
	Cause error
	Said  []string
}

// Error is one line.
func (e *StartError) Error() string {
	cause, _, _ := strings.Cut(e.Cause.Error(), "\n")
	said := "it said nothing"
	if len(e.Said) > 0 {
		said = "it said: " + strings.Join(e.Said, " | ")
	}
	return fmt.Sprintf("the browser %s did not start: %s; %s; check that it runs by hand, or set "+
		"%s to another one", e.Path, strings.TrimSuffix(cause, ":"), said, EnvPath)
}

// Unwrap gives the cause.
func (e *StartError) Unwrap() error { return e.Cause }

func (p *Process) startError(ctx context.Context, o Options, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("starting the browser: %w", ctx.Err())
	}
	return &StartError{Path: o.Path, Cause: err, Said: p.output.last()}
}
