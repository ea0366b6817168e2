package chrome

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/chromedp/chromedp/remote"

	"bridgesim/bridge/browser"
)

// Dialer connects to the browser behind one DevTools endpoint.
type Dialer struct {
	endpoint string
	opt      options
}

var _ browser.Dialer = (*Dialer)(nil)

// NewDialer returns a Dialer for endpoint: "http://127.0.0.1:9222", "127.0.0.1:9222" or a "ws://"
// address. A ws address with a path is dialled as it is first; in every other case, and when the
// browser does not know that path any more, Dial asks /json/version for the address of the browser
// that listens now (F260). An endpoint that cannot be used is reported by Dial.
func NewDialer(endpoint string, opts ...Option) *Dialer {
	return &Dialer{endpoint: endpoint, opt: newOptions(opts)}
}

// Dial connects. Its errors are *browser.Loss: BrowserGone when nothing listens or what listens is
// no browser, Silent when it does not answer in time, SocketLost when it hangs up. A bad endpoint
// is a plain error; a cancelled context gives its own error.
func (d *Dialer) Dial(ctx context.Context) (browser.Browser, error) {
	b, err := d.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return b, nil
}

// Connect is Dial with the concrete type.
func (d *Dialer) Connect(ctx context.Context) (*Browser, error) {
	at, err := parseEndpoint(d.endpoint, d.opt.remoteHost)
	if err != nil {
		return nil, err
	}
	ctx, cancel := bounded(ctx, d.opt.callTimeout)
	defer cancel()
	if at.Scheme == "ws" && at.Path != "" && at.Path != "/" {
		b, err := d.handshake(ctx, at.String())
		if err == nil || !errors.Is(err, browser.ErrBrowserGone) || refused(err) {
			return b, err
		}
	}
	ws, err := resolve(ctx, at)
	if err != nil {
		return nil, dialLoss(ctx, "GET "+versionPath, err)
	}
	return d.handshake(ctx, ws)
}

func (d *Dialer) handshake(ctx context.Context, address string) (*Browser, error) {
	tr, err := remote.DialContext(ctx, address)
	if err != nil {
		return nil, dialLoss(ctx, "the websocket handshake", err)
	}
	return &Browser{conn: newConn(tr, d.opt), address: address}, nil
}

// parseEndpoint reads the three forms of an endpoint.
func parseEndpoint(endpoint string, remoteHost bool) (*url.URL, error) {
	text := endpoint
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	u, err := url.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("DevTools endpoint %q: %w", endpoint, err)
	}
	if u.Scheme != "http" && u.Scheme != "ws" || u.Port() == "" || u.User != nil {
		return nil, fmt.Errorf("DevTools endpoint %q: want http://127.0.0.1:PORT, HOST:PORT or "+
			"ws://HOST:PORT/devtools/browser/ID", endpoint)
	}
	if !remoteHost && !loopback(u.Hostname()) {
		return nil, fmt.Errorf("DevTools endpoint %q: %s is not a loopback address; a debugging port "+
			"is open to whoever reaches it (allow it with WithRemoteHost)", endpoint, u.Hostname())
	}
	return u, nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// bounded gives ctx a deadline if it has none.
func bounded(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if _, ok := ctx.Deadline(); ok {
		return ctx, func() {}
	}
	return wall.WithTimeout(ctx, limit)
}

// dialLoss gives the error of a failed dial its type.
func dialLoss(ctx context.Context, during string, err error) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	return &browser.Loss{Kind: transportKind(err), During: during, Cause: err}
}

// transportKind tells the ends of a dial apart. What answers and is no browser (a 404, a page that
// is not JSON, an unknown guid) counts as a browser that is gone.
func transportKind(err error) browser.LossKind {
	var op *net.OpError
	isOp := errors.As(err, &op)
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded):
		return browser.Silent
	case isOp && op.Timeout():
		return browser.Silent
	case isOp && op.Op != "dial", hungUp(err):
		return browser.SocketLost
	}
	return browser.BrowserGone
}
