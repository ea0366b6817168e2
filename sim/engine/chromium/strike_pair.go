package chromium

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net"
	"sync"

	"github.com/gobwas/ws"
)

// pair is one connection through the relay.
type pair struct {
	relay           *Relay
	client, browser *net.TCPConn

	// Under Relay.mu.
	socket bool // it became a websocket
	held   bool // half-open: bytes are swallowed in both directions
	stall  bool // bytes wait
	polite bool // the client was told the end in order and closes by itself
	ended  bool

	toClient sync.Mutex // a whole frame at a time
	last     []byte     // the last frame from the browser, if it is small
}

const (
	maxKept  = 1 << 20 // of a frame that can be repeated
	headSize = 512     // of a command that is looked at
	maxLine  = 64 << 10
)

// gate waits while the line stalls. It reports whether bytes may pass; held ones are swallowed.
func (p *pair) gate() (pass bool) {
	r := p.relay
	r.mu.Lock()
	defer r.mu.Unlock()
	for p.stall && !p.ended && !r.closed {
		r.changed.Wait()
	}
	return !p.held
}

// fromBrowser copies the answers: HTTP as it is, a websocket frame by frame.
func (p *pair) fromBrowser() {
	src := bufio.NewReaderSize(p.browser, 64<<10)
	upgraded, err := p.header(p.client, src)
	for err == nil {
		if !upgraded {
			err = p.chunk(p.client, src)
			continue
		}
		err = p.frame(p.client, src, &p.toClient)
	}
}

// fromClient copies the requests and commands.
func (p *pair) fromClient() {
	src := bufio.NewReaderSize(p.client, 64<<10)
	upgrade, err := p.header(p.browser, src)
	var own sync.Mutex
	for err == nil {
		if !upgrade {
			err = p.chunk(p.browser, src)
			continue
		}
		err = p.frame(p.browser, src, &own)
	}
}

// header copies an HTTP head and tells whether it makes a websocket of the connection.
func (p *pair) header(dst io.Writer, src *bufio.Reader) (upgrade bool, err error) {
	var head []byte
	for {
		line, err := src.ReadSlice('\n')
		if err != nil {
			return false, err
		}
		if head = append(head, line...); len(head) > maxLine {
			return false, errors.New("the head of the request is too long")
		}
		if len(bytes.TrimSpace(line)) == 0 {
			break
		}
	}
	upgrade = bytes.Contains(bytes.ToLower(head), []byte("upgrade: websocket")) &&
		!bytes.HasPrefix(head, []byte("HTTP/1.1 4")) && !bytes.HasPrefix(head, []byte("HTTP/1.1 5"))
	if upgrade && bytes.HasPrefix(head, []byte("HTTP/1.1 101")) {
		p.relay.mu.Lock()
		p.socket = true
		p.relay.mu.Unlock()
	}
	if !p.gate() {
		return upgrade, nil
	}
	_, err = dst.Write(head)
	return upgrade, err
}

// chunk copies what is there, outside a websocket.
func (p *pair) chunk(dst io.Writer, src *bufio.Reader) error {
	if _, err := src.Peek(1); err != nil {
		return err
	}
	b, _ := src.Peek(src.Buffered())
	if p.gate() {
		if _, err := dst.Write(b); err != nil {
			return err
		}
	}
	_, err := src.Discard(len(b))
	return err
}

// frame copies one frame, whole, behind the gate.
func (p *pair) frame(dst io.Writer, src *bufio.Reader, whole *sync.Mutex) error {
	h, err := ws.ReadHeader(src)
	if err != nil {
		return err
	}
	head := make([]byte, min(h.Length, headSize))
	if _, err := io.ReadFull(src, head); err != nil {
		return err
	}
	rest := h.Length - int64(len(head))
	if !p.gate() {
		_, err := io.CopyN(io.Discard, src, rest)
		return err
	}
	whole.Lock()
	defer whole.Unlock()
	keep := &keeper{}
	out := io.MultiWriter(dst, keep)
	if err := ws.WriteHeader(out, h); err != nil {
		return err
	}
	if _, err := out.Write(head); err != nil {
		return err
	}
	if _, err := io.CopyN(out, src, rest); err != nil {
		return err
	}
	if h.Masked {
		ws.Cipher(head, h.Mask, 0)
		p.relay.noticed(head)
		return nil
	}
	p.last = keep.frame
	return nil
}

// keeper keeps a small frame.
type keeper struct {
	frame []byte
	over  bool
}

func (k *keeper) Write(b []byte) (int, error) {
	if k.over = k.over || len(k.frame)+len(b) > maxKept; k.over {
		k.frame = nil
		return len(b), nil
	}
	k.frame = append(k.frame, b...)
	return len(b), nil
}
