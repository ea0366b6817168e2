// Package redact takes secrets out of texts that are kept: recordings, imported logs, reports.
//
//	"authorization: Bearer eyJ…"   ──►  "authorization: ‹secret 5d2f01aa›"
//	{"cookie":"a=1; b=2"}          ──►  {"cookie":"‹secret 3c90de17›"}
//
// A secret becomes a mark with the first digits of its digest, so that two equal secrets are still
// seen to be equal and a text that was redacted once does not change when it is redacted again.
// The rules are one visible table. They look at names (cookie, authorization, token, …) and at
// shapes that no other text has (a JSON web token, a key with a vendor's prefix). A secret under a
// name of its own passes; who knows one adds a rule.
package redact

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"
)

// rule is one kind of secret. The group "secret" of its pattern is what is replaced.
type rule struct {
	name    string
	pattern *regexp.Regexp
	group   int
	hints   []string // in lower case; without one of them in the text the pattern cannot match
}

func newRule(name, pattern string, hints ...string) rule {
	p := regexp.MustCompile(pattern)
	return rule{name: name, pattern: p, group: p.SubexpIndex("secret"), hints: hints}
}

// names are the words under which a secret stands, as a header, a JSON member or a parameter.
const names = `(?:set-)?cookies?2?|(?:proxy-)?authorization|x-api-key|api[_-]?key|` +
	`(?:[a-z0-9]+[_-])*(?:access|refresh|id|csrf|xsrf|auth|bearer|session|sentinel|oai|security)` +
	`[_-]?token|` +
	`(?:openai-sentinel|x-csrf|x-xsrf)[a-z-]*|token|password|passwd|secret|client[_-]?secret`

// rules are all of them, in the order in which they are used.
var rules = []rule{
	newRule("member of JSON", // also inside a text that is itself a text of JSON: \"cookie\":\"…\"
		`(?i)\\*"(?:`+names+`)\\*"\s*:\s*\\*"(?P<secret>(?:[^"\\]|\\[^"])+)`, nameHints...),
	newRule("header in a list", // {"name":"cookie","value":"…"} as a HAR has it
		`(?i)"name"\s*:\s*"(?:`+names+`)"\s*,\s*"value"\s*:\s*"(?P<secret>[^"]+)"`, nameHints...),
	newRule("header", `(?im)(?:^|[\s"'{,(])(?:set-cookie|cookie|(?:proxy-)?authorization|x-api-key)`+
		`\s*:\s*(?P<secret>[^"'\r\n\\]+)`, "cookie", "authorization", "api-key"),
	newRule("parameter", `(?i)[?&;#](?:`+names+`|code|sig|signature)=(?P<secret>[^&\s"'#\\]+)`, "="),
	newRule("bearer", `(?i)\bbearer\s+(?P<secret>[A-Za-z0-9._~+/=-]{8,})`, "bearer"),
	newRule("JSON web token", `(?P<secret>\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}`+
		`(?:\.[A-Za-z0-9_-]*)?)`, "eyj"),
	newRule("key of a vendor", `\b(?P<secret>(?:sk|pk|rk|sess|ghp|gho|ghs|github_pat|xox[abp])`+
		`[-_][A-Za-z0-9_-]{16,})`, "sk", "pk", "rk", "sess", "gh", "github", "xox"),
	newRule("userinfo", `[a-z][a-z0-9+.-]*://(?P<secret>[^/\s:@"'\\]+:[^/\s@"'\\]+)@`, "://"),
}

var nameHints = []string{
	"cookie", "authorization", "key", "token", "sentinel", "csrf", "xsrf", "passw", "secret",
}

const open, shut = "‹secret ", "›"

// Text gives a text without its secrets, and how many were taken out. A text without one comes back
// as it is.
func Text(s string) (clean string, found int) {
	low := strings.ToLower(s)
	for i := range rules {
		if rules[i].hinted(low) {
			s = rules[i].apply(s, &found)
		}
	}
	return s, found
}

func (r *rule) hinted(low string) bool {
	for _, h := range r.hints {
		if strings.Contains(low, h) {
			return true
		}
	}
	return false
}

func (r *rule) apply(s string, found *int) string {
	at := r.pattern.FindAllStringSubmatchIndex(s, -1)
	if at == nil {
		return s
	}
	var b strings.Builder
	last := 0
	for _, m := range at {
		from, to := m[2*r.group], m[2*r.group+1]
		if secret := s[from:to]; !marked(secret) {
			b.WriteString(s[last:from])
			b.WriteString(Mark(secret))
			last = to
			*found++
		}
	}
	b.WriteString(s[last:])
	return b.String()
}

// marked tells what was taken out before.
func marked(s string) bool { return strings.Contains(s, strings.TrimSpace(open)) }

// Mark is what stands where a secret stood: the same for the same secret.
func Mark(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return open + hex.EncodeToString(sum[:4]) + shut
}
