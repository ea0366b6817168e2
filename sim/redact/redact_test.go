package redact_test

import (
	"strings"
	"testing"

	"bridgesim/sim/redact"
)

func TestText(t *testing.T) {
	for _, c := range []struct{ name, text, secret string }{
		{"cookie header", "Cookie: sid=abc; b=2\r\nHost: x", "sid=abc; b=2"},
		{"set-cookie in JSON", `{"set-cookie":"sid=abc; Path=/"}`, "sid=abc; Path=/"},
		{"authorization", `{"headers":{"Authorization":"Basic dXNlcjpwdw=="}}`, "Basic dXNlcjpwdw=="},
		{"inside a text of JSON", `{"data":"{\"accessToken\":\"abcdefg\"}"}`, "abcdefg"},
		{"HAR header", `{"name":"cookie","value":"sid=abc"}`, "sid=abc"},
		{"parameter", "ws://h/p?token=abc123&x=1", "abc123"},
		{"bearer", "sent with bearer abcdefgh12345", "abcdefgh12345"},
		{"JWT", "x eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc_- y", "eyJzdWIiOiIxIn0"},
		{"vendor's key", "sk-proj-abcdefghijklmnopqrst", "abcdefghijklmnopqrst"},
		{"userinfo", "https://me:pw@host/", "me:pw"},
		{"password", `{"password":"hunter2"}`, "hunter2"},
		{"sentinel", `"openai-sentinel-chat-requirements-token":"gAAAA"`, "gAAAA"},
	} {
		clean, n := redact.Text(c.text)
		if n == 0 || strings.Contains(clean, c.secret) {
			t.Errorf("%s: %q became %q (%d)", c.name, c.text, clean, n)
		}
		again, n := redact.Text(clean)
		if n != 0 || again != clean {
			t.Errorf("%s: redacted again it changed: %q (%d)", c.name, again, n)
		}
	}
}

func TestTextLeavesTheRest(t *testing.T) {
	for _, s := range []string{
		"", "tokens of a sentence", `{"sessionId":"0123456789ABCDEF"}`, "FRAME: s=9f83a7c1d42e650b r=1",
		`{"token_count":3}`, "https://example.test/a?b=c", "cookie jar", "eyJ is short",
		`{"id":1,"method":"Network.getCookies"}`, "- 令牌 token 怎么用",
	} {
		if clean, n := redact.Text(s); n != 0 || clean != s {
			t.Errorf("%q became %q (%d)", s, clean, n)
		}
	}
}

func TestEqualSecretsStayEqual(t *testing.T) {
	a, _ := redact.Text(`{"cookie":"one"}`)
	b, _ := redact.Text(`{"cookie":"two"}`)
	c, _ := redact.Text(`{"cookie":"one"}`)
	if a == b || a != c {
		t.Errorf("%q, %q, %q", a, b, c)
	}
}

func FuzzText(f *testing.F) {
	f.Add(`{"cookie":"a"} bearer abcdefgh12345`)
	f.Fuzz(func(t *testing.T, s string) {
		clean, _ := redact.Text(s)
		if again, n := redact.Text(clean); again != clean {
			t.Fatalf("%q, then %q (%d)", clean, again, n)
		}
	})
}
