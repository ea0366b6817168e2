package web

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"bridgesim/bridge/clock"
	"bridgesim/fakesite"
)

// Options say which site is served and how.
type Options struct {
	Site  *fakesite.Site
	Clock clock.Clock // the site's clock, scaled or not; nil = clock.Wall()
	// Scale is how many of the clock's seconds pass in a real one (60 for clock.Scaled(60)); 0 = 1.
	// It only sets how often a stream is looked at: at most fifty times in a real second.
	Scale float64
	// Addr is where to listen; "" = 127.0.0.1:0. Anything but loopback needs AllowRemote.
	Addr        string
	AllowRemote bool
	// TLS serves https for chatgpt.com with a certificate made at start; see ChromiumFlags.
	TLS bool
	// Log gets one line per request and push that went wrong; nil = silent.
	Log func(string)
}

// Server is a fake site on the wire. Its methods are safe for concurrent use.
type Server struct {
	site  *fakesite.Site
	clock clock.Clock
	gap   time.Duration // on the site's clock, least time between two pushes of the pulse
	log   func(string)

	listener net.Listener
	http     *http.Server
	tls      bool
	pin      string // base64 SHA-256 of the certificate's public key
	hosts    map[string]bool

	ctx    context.Context // ends with Close
	cancel context.CancelFunc
	work   sync.WaitGroup

	mu        sync.Mutex // guards the site and everything below
	version   int64
	changed   chan struct{} // closed and replaced at each version
	wake      context.CancelFunc
	horizon   time.Time // next moment at which something visible changes; zero: none
	documents map[string]*document
	order     []string // ids of documents, oldest first
	streams   map[*stream]bool
	choices   map[string]int // message id → chosen response, from 1
}

// Start serves a site until Close.
func Start(opts Options) (*Server, error) {
	if opts.Site == nil {
		return nil, errors.New("web: Options.Site is nil: make one with fakesite.New")
	}
	listener, err := listen(opts)
	if err != nil {
		return nil, err
	}
	s := newServer(opts, listener)
	s.http = &http.Server{
		Handler: s.routes(), ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: maxHeader,
		ErrorLog: s.errorLog(), BaseContext: func(net.Listener) context.Context { return s.ctx },
	}
	if err := s.secure(); err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	s.work.Go(s.serve)
	s.work.Go(s.pulse)
	return s, nil
}

func newServer(opts Options, listener net.Listener) *Server {
	s := &Server{
		site: opts.Site, clock: opts.Clock, log: opts.Log, listener: listener, tls: opts.TLS,
		changed: make(chan struct{}), documents: map[string]*document{},
		streams: map[*stream]bool{}, choices: map[string]int{},
	}
	if s.clock == nil {
		s.clock = clock.Wall()
	}
	if s.log == nil {
		s.log = func(string) {}
	}
	s.gap = time.Duration(float64(20*time.Millisecond) * max(opts.Scale, 1))
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.hosts = allowedHosts(s.Addr(), opts.TLS)
	return s
}

// listen opens the socket; a host that is not loopback must be asked for.
func listen(opts Options) (net.Listener, error) {
	addr := opts.Addr
	if addr == "" {
		addr = "127.0.0.1:0"
	}
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("web: address %q: want host:port: %w", addr, err)
	}
	ip := net.ParseIP(host)
	if host != "localhost" && (ip == nil || !ip.IsLoopback()) && !opts.AllowRemote {
		return nil, fmt.Errorf(
			"web: address %q is not loopback: set AllowRemote to listen there",
			addr,
		)
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("web: listen: %w", err)
	}
	return listener, nil
}

// secure makes the certificate when TLS is asked for.
func (s *Server) secure() error {
	if !s.tls {
		return nil
	}
	certificate, pin, err := selfSigned(time.Now())
	if err != nil {
		return fmt.Errorf("web: certificate: %w", err)
	}
	s.pin = pin
	s.http.TLSConfig = &tls.Config{
		Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12,
	}
	return nil
}

func (s *Server) serve() {
	serve := s.http.Serve
	if s.tls {
		serve = func(l net.Listener) error { return s.http.ServeTLS(l, "", "") }
	}
	err := serve(s.listener)
	if err != nil && !errors.Is(err, http.ErrServerClosed) {
		s.log("serve: " + err.Error())
	}
}

// Addr is the address that the server listens on.
func (s *Server) Addr() net.Addr { return s.listener.Addr() }

// URL is the root of the site without a trailing slash: http://127.0.0.1:PORT, or
// https://chatgpt.com with TLS, which only a browser with ChromiumFlags finds.
func (s *Server) URL() string {
	if s.tls {
		return "https://" + Domain
	}
	return "http://" + s.Addr().String()
}

// Do runs f on the site under the server's lock and pushes what changed to the open pages. It
// returns the version of that push.
func (s *Server) Do(f func(now time.Time, site *fakesite.Site)) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.clock.Now()
	f(now, s.site)
	s.refresh(now)
	return s.version
}

// Tick looks at the clock and pushes what changed; a test calls it after it moved a manual clock.
// It returns the version of that push: when a page's data-fake-version has reached it, the page
// shows this moment.
func (s *Server) Tick() int64 { return s.Do(func(time.Time, *fakesite.Site) {}) }

// Version is the number of the last push.
func (s *Server) Version() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.version
}

// Wait returns when cond holds; it is asked now and at each push, under the server's lock, and must
// not change the site. The error is the context's.
func (s *Server) Wait(
	ctx context.Context,
	cond func(now time.Time, site *fakesite.Site) bool,
) error {
	for {
		s.mu.Lock()
		ok, changed := cond(s.clock.Now(), s.site), s.changed
		s.mu.Unlock()
		if ok {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// enter counts a request in; false: the server is being closed.
func (s *Server) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx.Err() != nil {
		return false
	}
	s.work.Add(1)
	return true
}

// Close ends all streams and pages' sockets and waits until nothing of the server runs any more.
func (s *Server) Close() error {
	s.mu.Lock()
	s.cancel()
	s.mu.Unlock()
	err := s.http.Close()
	s.work.Wait()
	return err
}
