package web

import (
	"crypto/subtle"
	"net/http"
	"strings"
	"time"

	"bridgesim/fakesite"
)

// session is GET /api/auth/session: cookies in; user, accessToken, expires out; {} when logged out.
func (s *Server) session(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	account, now := s.site.Account(), s.clock.Now()
	s.mu.Unlock()
	if !account.LoggedIn {
		reply(w, http.StatusOK, object{})
		return
	}
	reply(w, http.StatusOK, object{
		"user":        object{"id": "user-fake", "name": account.Name, "email": account.Email},
		"expires":     now.Add(90 * 24 * time.Hour).UTC().Format(time.RFC3339),
		"accessToken": account.Token, "authProvider": "login-web",
	})
}

// bearer reports whether the request carries the account's token. Call it locked.
func (s *Server) bearer(r *http.Request) bool {
	account := s.site.Account()
	got, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	return ok && account.LoggedIn &&
		subtle.ConstantTimeCompare([]byte(got), []byte(account.Token)) == 1
}

// me is the legacy probe; it needs the bearer.
func (s *Server) me(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	ok, account := s.bearer(r), s.site.Account()
	s.mu.Unlock()
	if !ok {
		refuse(w, fakesite.RefusedLogin)
		return
	}
	reply(w, http.StatusOK, object{"id": "user-fake", "name": account.Name, "email": account.Email})
}

// sentinel answers the anti-abuse calls around a send.
func (s *Server) sentinel(w http.ResponseWriter, r *http.Request) {
	reply(w, http.StatusOK, object{
		"token": "fake-requirements", "prepare_token": "fake-prepare", "persona": "chatgpt",
		"proofofwork": object{"required": false}, "turnstile": object{"required": false},
	})
}

// prepare comes before each send and gives a conduit token.
func (s *Server) prepare(w http.ResponseWriter, r *http.Request) {
	reply(w, http.StatusOK, object{"status": "ok", "conduit_token": "fake-conduit"})
}
