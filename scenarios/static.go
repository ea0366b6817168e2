package scenarios

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"bridgesim/bridge/wire"
	"bridgesim/sim"
)

// repeated finds static text in a message that must not hold any: a line or a clause of the
// contract, the name of a capability or of a denial, the request or a piece of it. It is "" when
// there is none. What they are is the script's word, never pi's. Receipts are the agent's own words
// and are left out of it.
func repeated(text string, r *sim.Result) string {
	s := r.World.Script
	for i := range r.Executed {
		text = strings.ReplaceAll(text, r.Executed[i].Receipt(), "")
	}
	if piece := ofContract(text); piece != "" {
		return piece
	}
	for _, names := range [][]string{s.Able(), s.Denied()} {
		for _, name := range names {
			if standsIn(text, name) {
				return name
			}
		}
	}
	return pieceOf(text, s.Wanted())
}

// shortest is the length of a clause, in characters, from which on it says where it is from.
const shortest = 6

// ofContract finds a whole line of the contract, or one clause of it.
func ofContract(text string) string {
	lines := map[string]bool{}
	for line := range strings.Lines(text) {
		lines[strings.TrimSpace(line)] = true
	}
	for line := range strings.Lines(wire.Contract()) {
		line = strings.TrimSpace(line)
		if line != "" && lines[line] {
			return line
		}
		for _, clause := range strings.FieldsFunc(line, betweenClauses) {
			clause = strings.Trim(clause, " -")
			if utf8.RuneCountInString(clause) >= shortest && strings.Contains(text, clause) {
				return clause
			}
		}
	}
	return ""
}

func betweenClauses(r rune) bool { return strings.ContainsRune("，。：；、（）", r) }

// standsIn finds a name that is not part of a longer one: "net" does not stand in "network".
func standsIn(text, name string) bool {
	if name == "" {
		return false
	}
	for rest := text; ; {
		before, after, found := strings.Cut(rest, name)
		if !found {
			return false
		}
		last, _ := utf8.DecodeLastRuneInString(before)
		first, size := utf8.DecodeRuneInString(after)
		if first == '.' { // the end of a sentence, or of the first part of a name
			first, _ = utf8.DecodeRuneInString(after[size:])
		}
		if !ofName(last) && last != '.' && !ofName(first) {
			return true
		}
		rest = after
	}
}

func ofName(r rune) bool {
	return r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '-')
}

// window is how many characters of a request in a row are no accident.
const window = 8

// pieceOf finds the request, or a piece of it, however its white space stands.
func pieceOf(text, request string) string {
	text = strings.Join(strings.Fields(text), " ")
	whole := []rune(strings.Join(strings.Fields(request), " "))
	if len(whole) == 0 {
		return ""
	}
	for i := 0; i == 0 || i+window <= len(whole); i++ {
		piece := string(whole[i:min(i+window, len(whole))])
		if strings.Contains(text, piece) {
			return piece
		}
	}
	return ""
}
