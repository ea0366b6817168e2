package web

import (
	"embed"
	"encoding/json"
	"errors"
	"log"
	"net"
	"net/http"
	"strings"
)

// Limits of what a request may bring.
const (
	maxHeader = 32 << 10 // piled-up conv_key_* cookies fail on this, as on the real site
	maxBody   = 4 << 20
	maxAct    = 4 << 10
	maxID     = 128
)

//go:embed assets
var assets embed.FS

// assetTypes lists the files that are served; no other name is.
var assetTypes = map[string]string{
	"app.js": "text/javascript", "api.js": "text/javascript", "dom.js": "text/javascript",
	"editor.js": "text/javascript", "markdown.js": "text/javascript", "turns.js": "text/javascript",
	"frame.js": "text/javascript", "blockers.js": "text/javascript", "composer.js": "text/javascript",
	"style.css": "text/css", "thread.css": "text/css",
}

const policy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; " +
	"img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; " +
	"frame-ancestors 'none'"

func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.page)
	mux.HandleFunc("GET /c/{id}", s.page)
	mux.HandleFunc("GET /auth/login", s.page)
	mux.HandleFunc("GET /assets/{name}", s.asset)
	mux.HandleFunc("GET /cdn-cgi/challenge-platform/scripts/jsd/main.js", s.emptyScript)
	mux.HandleFunc("GET /api/auth/session", s.session)

	api := func(pattern string, h http.HandlerFunc) { mux.HandleFunc(pattern, s.unchallenged(h)) }
	api("GET /backend-api/me", s.me)
	for _, step := range []string{"", "/prepare", "/finalize"} {
		api("POST /backend-api/sentinel/chat-requirements"+step, s.sentinel)
	}
	api("POST /backend-api/f/conversation/prepare", s.prepare)
	api("POST /backend-api/f/conversation", s.send)
	api("POST /backend-api/f/conversation/resume", s.resume)
	api("POST /backend-api/stop_conversation", s.stop)
	api("GET /backend-api/conversations", s.list)
	api("GET /backend-api/conversations/{id}", s.recent)
	api("GET /backend-api/conversations/{id}/messages", s.after)
	api("GET /backend-api/conversation/{id}", s.record)
	api("GET /backend-api/conversation/{id}/stream_status", s.streamStatus)
	mux.HandleFunc("GET /backend-api/fake/events", s.events)
	mux.HandleFunc("GET /backend-api/fake/loaded", s.loaded)
	return s.guard(mux)
}

// allowedHosts are the Host headers that this server answers to.
func allowedHosts(addr net.Addr, secure bool) map[string]bool {
	_, port, _ := net.SplitHostPort(addr.String())
	hosts := map[string]bool{
		addr.String(): true, "127.0.0.1:" + port: true, "localhost:" + port: true, "[::1]:" + port: true,
	}
	if secure {
		hosts[Domain], hosts[Domain+":"+port] = true, true
	}
	return hosts
}

// guard checks Host and Origin, bounds the body and sets the headers that every answer has.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.enter() {
			return
		}
		defer s.work.Done()
		header := w.Header()
		header.Set("Cache-Control", "no-store")
		header.Set("Content-Security-Policy", policy)
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Referrer-Policy", "no-referrer")
		if !s.hosts[r.Host] {
			http.Error(w, "this server does not answer to that Host", http.StatusMisdirectedRequest)
			return
		}
		if !s.sameOrigin(r) {
			http.Error(w, "requests of other origins are not taken", http.StatusForbidden)
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		next.ServeHTTP(w, r)
	})
}

func (s *Server) sameOrigin(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" {
		return true
	}
	scheme := "http://"
	if s.tls {
		scheme = "https://"
	}
	return strings.TrimPrefix(origin, scheme) == r.Host
}

func (s *Server) asset(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	kind, ok := assetTypes[name]
	if !ok {
		http.NotFound(w, r)
		return
	}
	body, err := assets.ReadFile("assets/" + name)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", kind+"; charset=utf-8")
	_, _ = w.Write(body) // the reader is gone: nobody to tell
}

func (s *Server) emptyScript(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
}

// reply writes a JSON answer.
func reply(w http.ResponseWriter, status int, value any) {
	body, err := json.Marshal(value)
	if err != nil { // a shape of ours cannot be encoded: a bug
		panic(err)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

// object is a JSON object that is written once.
type object = map[string]any

// read decodes a JSON body; on an error the answer is written already.
func read(w http.ResponseWriter, r *http.Request, value any) bool {
	err := json.NewDecoder(r.Body).Decode(value)
	if err == nil {
		return true
	}
	if tooBig := new(http.MaxBytesError); errors.As(err, &tooBig) {
		reply(
			w,
			http.StatusRequestEntityTooLarge,
			detail("message_length_exceeds_limit", "The body is too large."),
		)
		return false
	}
	reply(
		w,
		http.StatusBadRequest,
		detail("invalid_request", "The body is not the JSON that was expected."),
	)
	return false
}

// detail is the shape of the backend's errors.
func detail(code, message string) object {
	return object{"detail": object{"code": code, "message": message}}
}

type lineLog func(string)

func (l lineLog) Write(p []byte) (int, error) {
	l(strings.TrimSpace(string(p)))
	return len(p), nil
}

func (s *Server) errorLog() *log.Logger { return log.New(lineLog(s.log), "http: ", 0) }
