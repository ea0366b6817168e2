package chrome_test

import (
	"net"
	"strings"
	"sync"
	"sync/atomic"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// relay stands between a client and the browser's port and strikes the wire itself.
//
//	client ══► relay ══► browser
//	             └ reset, finish, send bytes, hold
type relay struct {
	ln       net.Listener
	upstream string
	held     atomic.Bool
	wg       sync.WaitGroup

	mu    sync.Mutex
	pairs [][2]*net.TCPConn // client, browser
}

func newRelay(endpoint string) *relay {
	GinkgoHelper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	Expect(err).NotTo(HaveOccurred())
	r := &relay{ln: ln, upstream: strings.TrimPrefix(endpoint, "http://")}
	r.wg.Go(r.accept)
	DeferCleanup(r.close)
	return r
}

func (r *relay) endpoint() string { return "http://" + r.ln.Addr().String() }

func (r *relay) accept() {
	for {
		c, err := r.ln.Accept()
		if err != nil {
			return
		}
		up, err := net.Dial("tcp", r.upstream)
		if err != nil {
			_ = c.Close()
			continue
		}
		client, browser := c.(*net.TCPConn), up.(*net.TCPConn)
		r.mu.Lock()
		r.pairs = append(r.pairs, [2]*net.TCPConn{client, browser})
		r.mu.Unlock()
		r.wg.Go(func() { r.copy(client, browser) })
		r.wg.Go(func() { r.copy(browser, client) })
	}
}

// copy passes bytes on until one side ends; held bytes are swallowed with the connection open.
func (r *relay) copy(dst, src *net.TCPConn) {
	buf := make([]byte, 64<<10)
	for {
		n, err := src.Read(buf)
		if err != nil {
			_ = dst.Close()
			return
		}
		if r.held.Load() {
			continue
		}
		if _, err := dst.Write(buf[:n]); err != nil {
			_ = src.Close()
			return
		}
	}
}

// last is the newest connection: the websocket, as /json/version came before it.
func (r *relay) last() (client, browser *net.TCPConn) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.pairs[len(r.pairs)-1]
	return p[0], p[1]
}

func (r *relay) reset() {
	c, _ := r.last()
	Expect(c.SetLinger(0)).To(Succeed())
	Expect(c.Close()).To(Succeed())
}

func (r *relay) finish() {
	c, _ := r.last()
	Expect(c.CloseWrite()).To(Succeed())
}

// send writes bytes to the client; between two messages that is a place between two frames.
func (r *relay) send(b []byte) {
	c, _ := r.last()
	_, err := c.Write(b)
	Expect(err).NotTo(HaveOccurred())
}

func (r *relay) hold() { r.held.Store(true) }

func (r *relay) close() {
	Expect(r.ln.Close()).To(Succeed())
	r.mu.Lock()
	for _, p := range r.pairs {
		_ = p[0].Close()
		_ = p[1].Close()
	}
	r.mu.Unlock()
	r.wg.Wait()
}
