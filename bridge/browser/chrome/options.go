package chrome

import (
	"io"
	"sync"
	"time"

	"github.com/chromedp/cdproto"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/chromedp"

	"bridgesim/bridge/clock"
)

// Limits of one connection; the options change the first two.
const (
	defaultCallTimeout   = 15 * time.Second
	defaultAttachTimeout = 5 * time.Second
	// detachGrace is how long a detached session waits for the end of the connection before the
	// verdict "only the tab is gone" (F261: Browser.close shows the detach 15 to 25 ms earlier).
	detachGrace = 250 * time.Millisecond
	// askLimit bounds the browser-level questions that the client asks to reach a verdict.
	askLimit = time.Second
	// postDataLimit bounds the question for the body of a request that came without it.
	postDataLimit = 2 * time.Second
	eventRing     = 10_000
)

// wall times single calls; they are never scaled.
var wall = clock.Wall()

// FrameLog hears every message of a connection, dir '>' for sent and '<' for received, in the order
// of the wire per direction. It runs on the connection's goroutines: it must not block for long and
// must not change the message.
type FrameLog func(dir byte, msg *cdproto.Message)

type options struct {
	contextID     string
	remoteHost    bool
	callTimeout   time.Duration
	attachTimeout time.Duration
	beatEvery     time.Duration
	beatLimit     time.Duration
	log           FrameLog
}

// Option changes a Dialer.
type Option func(*options)

// WithBrowserContext binds the connection to one browser context: Open creates tabs in it and Pages
// lists only its pages.
func WithBrowserContext(id string) Option { return func(o *options) { o.contextID = id } }

// WithHeartbeat asks the browser for its version every interval; no answer and no other frame
// within deadline is the loss SocketLost, so a half-open socket is seen without traffic of the user
// (D12). The deadline must exceed the time that the largest message needs on the wire.
func WithHeartbeat(interval, deadline time.Duration) Option {
	return func(o *options) { o.beatEvery, o.beatLimit = interval, deadline }
}

// WithFrameLog sends every message to log.
func WithFrameLog(log FrameLog) Option { return func(o *options) { o.log = log } }

// WithCallTimeout sets the deadline of calls, and of a dial, whose context has none (15 s).
func WithCallTimeout(d time.Duration) Option { return func(o *options) { o.callTimeout = d } }

// WithAttachTimeout sets the deadline of each single command of an attach (5 s). A renderer that
// does not answer within it is wedged.
func WithAttachTimeout(d time.Duration) Option { return func(o *options) { o.attachTimeout = d } }

// WithRemoteHost allows an endpoint that is not on the loopback interface. A debugging port gives
// whoever reaches it the whole browser; only use it inside a private network.
func WithRemoteHost() Option { return func(o *options) { o.remoteHost = true } }

// LogTo writes each message as one line, ">" or "<" and its JSON, to w.
func LogTo(w io.Writer) FrameLog {
	var mu sync.Mutex
	return func(dir byte, msg *cdproto.Message) {
		b, err := jsonv2.Marshal(msg, chromedp.DefaultMarshalOptions)
		if err != nil {
			b = []byte(err.Error())
		}
		line := append([]byte{dir, ' '}, b...)
		mu.Lock()
		defer mu.Unlock()
		_, _ = w.Write(append(line, '\n'))
	}
}

func newOptions(opts []Option) options {
	o := options{
		callTimeout:   defaultCallTimeout,
		attachTimeout: defaultAttachTimeout,
		log:           func(byte, *cdproto.Message) {},
	}
	for _, set := range opts {
		set(&o)
	}
	return o
}
