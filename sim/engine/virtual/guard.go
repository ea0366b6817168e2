package virtual

import (
	"strings"

	"bridgesim/bridge/page/probe"
	"bridgesim/fakesite"
)

// blocker is what the page shows in the way, with the structure that shows it. A page that is not
// hydrated shows nothing but a challenge.
func (d *document) blocker() (probe.Blocker, string) {
	switch {
	case d.challenged():
		return probe.BlockCaptcha, "#challenge-form"
	case !d.site:
		return probe.NoBlocker, ""
	case strings.HasPrefix(d.path, "/auth/login"):
		return probe.BlockLogin, "/auth/login"
	case !d.hydrated():
		return probe.NoBlocker, ""
	}
	o := d.b.site.Options()
	switch d.blocked() {
	case fakesite.BlockExpired:
		return probe.BlockLogin, "#modal-expired-session"
	case fakesite.BlockLogin:
		if d.toasts > 0 && d.loginClosed != d.toasts+1 {
			return probe.BlockLogin, "#modal-no-auth-login"
		}
		return probe.BlockLogin, "[data-testid='login-button']"
	case fakesite.BlockRate:
		if !o.NoRateDialog && d.rateClosed != d.toasts+1 {
			return probe.BlockRateLimit, "[role=dialog]"
		}
	case fakesite.BlockAccount:
		return probe.BlockAccount, "[role=dialog]"
	case fakesite.BlockCap:
		return probe.BlockUsageCap, "#prompt-textarea[contenteditable='false']"
	}
	return probe.NoBlocker, ""
}

// loggedIn: the page proves it. The modal of an expired session stands over the page of who was.
func (d *document) loggedIn() bool {
	return d.hydrated() &&
		(!d.blocked().LoggedOut() || d.blocked() == fakesite.BlockExpired)
}

func (d *document) guard(probe.None) probe.GuardState {
	what, detail := d.blocker()
	return probe.GuardState{
		Blocker: what, Detail: detail, LoggedIn: d.loggedIn(), Composer: d.editable(),
		Conversation: d.conversationID(), Stop: d.stopShown(),
	}
}

func (d *document) stopShown() bool {
	if !d.hydrated() {
		return false
	}
	stop, _ := d.running()
	return stop
}
