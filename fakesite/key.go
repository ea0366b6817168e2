package fakesite

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"
)

// planKey is the digest by which `p=` and CK name a plan: "First 8 hex of SHA-256 of the canonical
// PLAN block text (fences excluded)". It is "" for a reply without a whole block.
func planKey(reply string) string {
	block, ok := firstBlock(reply)
	if !ok {
		return ""
	}
	var room [2048]byte
	sum := sha256.Sum256(canonical(room[:0], block))
	var digits [8]byte
	hex.Encode(digits[:], sum[:4])
	return string(digits[:])
}

// canonical appends the canonical form: "CRLF to LF, trailing whitespace stripped per line, runs of
// blank lines collapsed, trimmed"; a run of blank lines becomes one.
func canonical(to []byte, text string) []byte {
	blank := false
	for text != "" {
		var line string
		line, text, _ = strings.Cut(text, "\n")
		line = strings.TrimRightFunc(line, unicode.IsSpace)
		switch {
		case line == "":
			blank = true
			continue
		case len(to) == 0:
			line = strings.TrimLeftFunc(line, unicode.IsSpace)
		case blank:
			to = append(to, '\n', '\n')
		default:
			to = append(to, '\n')
		}
		to, blank = append(to, line...), false
	}
	return to
}

// firstBlock is the text between the first fence and the one that closes it: the same character, at
// least as often, and nothing behind it.
func firstBlock(reply string) (block string, ok bool) {
	start, mark := 0, ""
	for at := 0; at < len(reply); {
		end := len(reply)
		if n := strings.IndexByte(reply[at:], '\n'); n >= 0 {
			end = at + n + 1
		}
		line := reply[at:end]
		if strings.IndexByte(line, '`') >= 0 || strings.IndexByte(line, '~') >= 0 {
			line = clean(line)
		}
		switch f := fenceOf(line); {
		case mark == "" && f != "":
			mark, start = f, end
		case mark != "" && f == line && f != "" && f[0] == mark[0] && len(f) >= len(mark):
			return reply[start:at], true
		}
		at = end
	}
	return "", false
}

// fenceOf is the run of three or more backticks or tildes at the start of a line, "" without one.
func fenceOf(line string) string {
	n := 0
	for n < len(line) && (line[0] == '`' || line[0] == '~') && line[n] == line[0] {
		n++
	}
	if n < 3 {
		return ""
	}
	return line[:n]
}
