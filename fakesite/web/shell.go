package web

import (
	"bytes"
	_ "embed" // the shell
	"html/template"
	"net/http"

	"bridgesim/fakesite"
)

//go:embed assets/shell.html
var shellText string

var shell = template.Must(template.New("shell").Parse(shellText))

// shellData is what the bare page holds before its script has run.
type shellData struct {
	Document  string
	Challenge bool
	Fallback  bool
	Script    bool // a challenge script on a healthy page
	Held      bool // readyState waits for /backend-api/fake/loaded
}

// page is a navigation: the bare shell. Everything else comes over the event stream.
func (s *Server) page(w http.ResponseWriter, r *http.Request) {
	if len(r.PathValue("id")) > maxID {
		http.NotFound(w, r)
		return
	}
	s.mu.Lock()
	o := s.site.Options()
	d := s.open("", r.URL.RequestURI())
	data := shellData{
		Document: d.id, Challenge: s.site.Blocked() == fakesite.BlockCaptcha,
		Fallback: o.FallbackFor > 0, Script: o.ChallengeScript, Held: s.site.Timing().Load > 0,
	}
	s.mu.Unlock()
	var body bytes.Buffer
	if err := shell.Execute(&body, data); err != nil { // our own template: a bug
		panic(err)
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if data.Challenge {
		w.Header().Set("Cf-Mitigated", "challenge")
		w.WriteHeader(http.StatusForbidden)
	}
	_, _ = w.Write(body.Bytes())
}

// loaded is a picture that comes Timing.Load after the navigation: it holds readyState back.
func (s *Server) loaded(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	d := s.documents[r.URL.Query().Get("document")]
	wait := s.site.Timing().Load
	if d != nil {
		wait = d.opened.Add(wait).Sub(s.clock.Now())
	}
	s.mu.Unlock()
	if err := s.clock.Sleep(r.Context(), wait); err != nil {
		return
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	_, _ = w.Write([]byte(`<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>`))
}
