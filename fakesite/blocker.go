package fakesite

// Blocker is what keeps the site from taking sends until a person acts. Each maps to one refusal.
type Blocker string

// The blockers. Downgrade is a banner only: "sends still work on a smaller model".
const (
	Unblocked      Blocker = ""
	BlockCaptcha   Blocker = "captcha"
	BlockLogin     Blocker = "login"   // logged out; the composer is shown to guests as well
	BlockExpired   Blocker = "expired" // session expired: the modal, and no user in the session
	BlockRate      Blocker = "rate-limit"
	BlockCap       Blocker = "usage-cap"
	BlockDowngrade Blocker = "downgrade"
	BlockAccount   Blocker = "account" // suspicious activity
)

// Blockers returns all blockers, the downgrade banner included.
func Blockers() []Blocker {
	return []Blocker{
		BlockCaptcha, BlockLogin, BlockExpired, BlockRate, BlockCap, BlockDowngrade, BlockAccount,
	}
}

// Refusal is the answer to a send while b stands; Taken for Unblocked and BlockDowngrade.
func (b Blocker) Refusal() Refusal {
	switch b {
	case BlockCaptcha:
		return RefusedCaptcha
	case BlockLogin, BlockExpired:
		return RefusedLogin
	case BlockRate:
		return RefusedRate
	case BlockCap:
		return RefusedCap
	case BlockAccount:
		return RefusedUnusual
	}
	return Taken
}

// LoggedOut reports whether the session endpoint names no user while b stands.
func (b Blocker) LoggedOut() bool { return b == BlockLogin || b == BlockExpired }
