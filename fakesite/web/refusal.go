package web

import (
	"net/http"

	"bridgesim/fakesite"
)

// refusalAnswer is how one refusal looks on the wire and in the page.
type refusalAnswer struct {
	status  int
	code    string
	message string // body of the answer and toast of the page
}

// capClears is the "clears_in" of a usage cap, in seconds.
const capClears = 3600

const somethingWrong = "Something went wrong. If this issue persists please contact us through " +
	"our help center at help.openai.com."

var refusals = map[fakesite.Refusal]refusalAnswer{
	fakesite.RefusedLogin:   {http.StatusUnauthorized, "token_expired", "Log in to continue."},
	fakesite.RefusedCaptcha: {http.StatusForbidden, "challenge", "Verify you are human."},
	fakesite.RefusedUnusual: {
		http.StatusForbidden,
		"unusual_activity",
		"Unusual activity was detected.",
	},
	fakesite.RefusedRate: {
		http.StatusTooManyRequests,
		"too_many_requests",
		"Too many requests.",
	},
	fakesite.RefusedCap: {
		http.StatusTooManyRequests,
		"model_cap_exceeded",
		"You've hit your usage limit.",
	},
	fakesite.RefusedServer: {http.StatusInternalServerError, "internal_error", somethingWrong},
	fakesite.RefusedNotFound: {
		http.StatusNotFound,
		"conversation_inaccessible",
		"Unable to load conversation.",
	},
	fakesite.RefusedBusy: {
		http.StatusConflict,
		"generating",
		"A response is still being generated.",
	},
	fakesite.RefusedTooLong: {
		http.StatusRequestEntityTooLarge, "message_length_exceeds_limit",
		"The message you submitted was too long.",
	},
}

// refuse answers a send that the site did not take (facts 10.6).
func refuse(w http.ResponseWriter, why fakesite.Refusal) {
	a, ok := refusals[why]
	if !ok {
		a = refusals[fakesite.RefusedServer]
	}
	body := detail(a.code, a.message)
	switch why {
	case fakesite.RefusedCaptcha:
		w.Header().Set("Cf-Mitigated", "challenge")
	case fakesite.RefusedCap:
		body["detail"].(object)["clears_in"] = capClears
	}
	reply(w, a.status, body)
}

// unchallenged lets a request through unless the challenge stands in front of the whole API.
func (s *Server) unchallenged(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		blocked := s.site.Blocked()
		s.mu.Unlock()
		if blocked == fakesite.BlockCaptcha {
			refuse(w, fakesite.RefusedCaptcha)
			return
		}
		next(w, r)
	}
}
