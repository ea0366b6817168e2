package probe

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"strconv"
	"strings"
)

// parts are the script, in the order in which it is put together: the profile says what the site's
// elements are called, place.js and guard.js find them, the others read or act, and probe.js
// defines the names. All parts share one function scope.
//
//go:embed profile.json place.js guard.js fence.js markdown.js turns.js copy.js record.js probe.js
var parts embed.FS

var partNames = [...]string{
	"place.js", "guard.js", "fence.js", "markdown.js", "turns.js", "copy.js", "record.js", "probe.js",
}

// Source is the script that defines __bridge in a document. It is idempotent: a second evaluation
// of the same version changes nothing, one of another version keeps the document's name and fence.
var Source = assemble()

// Version names the script and its profile; a recording made with another one may read differently.
var Version = version()

func version() string {
	sum := sha256.Sum256([]byte(part("profile.json") + body()))
	return hex.EncodeToString(sum[:6])
}

// Profile returns the one file of selectors, JSON.
func Profile() string { return part("profile.json") }

func assemble() string {
	return `(() => { "use strict";
const version = ` + strconv.Quote(version()) + `;
if (globalThis.__bridge?.version === version) return;
const state = globalThis.__bridge?.state ??
  { name: "", fence: null, listener: null, copying: false };
const profile = ` + strings.TrimSpace(Profile()) + `;
` + body() + `})()`
}

func body() string {
	var b strings.Builder
	for _, name := range partNames {
		b.WriteString(part(name))
	}
	return b.String()
}

// part reads an embedded file; a missing one cannot happen in a program that was built.
func part(name string) string {
	text, err := parts.ReadFile(name)
	if err != nil {
		panic(err)
	}
	return string(text)
}
