package bridge

import (
	"path"
	"regexp"
	"strings"
	"unicode"
)

// A command entry is read as far as it takes to see which programs it starts: every command of a
// chain counts, and what stands before a command does not hide it.
//
//	FOO=1 sudo -u app curl -s URL  |  sh -c 'cd x && git push'
//	└─ prefixes ────┘ └─ curl … ┘     └────┘ └ cd ┘  └ git push ┘
//
// It is no shell. In doubt text counts as a command (the lines of a here-document do): a refusal
// costs one round, a slip an effect.

// started lists the commands that an entry starts, each as its words, without prefixes.
func started(entry string) [][]string {
	var out [][]string
	for _, words := range split(entry) {
		words = skipPrefixes(words)
		switch {
		case len(words) == 0:
		case strings.ContainsAny(words[0], " \n"): // a whole line in quotes: bash -c "…", eval "…"
			out = append(out, started(words[0])...)
		default:
			out = append(out, words)
		}
	}
	return out
}

func skipPrefixes(words []string) []string {
	for len(words) > 0 {
		p, known := prefixes[programName(words[0])]
		switch {
		case assigns(words[0]):
			words = words[1:]
		case known:
			words = skipOptions(words[1:], p.valued)
			words = words[min(p.operands, len(words)):]
		default:
			return words
		}
	}
	return nil
}

// skipOptions drops leading options, those in valued with the word behind them.
func skipOptions(words, valued []string) []string {
	for len(words) > 0 && strings.HasPrefix(words[0], "-") {
		n := 1
		if contains(valued, words[0]) {
			n = 2
		}
		words = words[min(n, len(words)):]
	}
	return words
}

// programName is the name of a program that is called by its full path. A program of the project
// itself (./open) is not the one of that name.
func programName(word string) string {
	if path.IsAbs(word) {
		return path.Base(word)
	}
	return word
}

// assigns tells whether a word is NAME=value.
func assigns(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	return ok && name != "" && strings.IndexFunc(name, func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) < 0
}

// splitter cuts an entry into commands and their words.
type splitter struct {
	commands [][]string
	words    []string
	word     []byte
	open     bool // a word has begun; it may be empty
}

// separators end a command. A backtick is one in a shell, and in Markdown it quotes a whole
// command.
const separators = ";|&()\n`"

func split(entry string) [][]string {
	entry = strings.Map(plainSpace, entry)
	var s splitter
	for i := 0; i < len(entry); i++ {
		i = s.take(entry, i)
	}
	s.endCommand()
	return s.commands
}

func plainSpace(r rune) rune {
	if r != '\n' && unicode.IsSpace(r) {
		return ' '
	}
	return r
}

// take reads what stands at i and returns the place of its last byte.
func (s *splitter) take(text string, i int) int {
	switch c := text[i]; {
	case c == '\\' && i+1 < len(text):
		if text[i+1] != '\n' {
			s.add(text[i+1 : i+2])
		}
		return i + 1
	case c == '\'' || c == '"':
		return s.quoted(text, i)
	case c == '#' && !s.open:
		if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
			return i + n - 1
		}
		return len(text)
	case strings.IndexByte(separators, c) >= 0:
		s.endCommand()
	case c == ' ':
		s.endWord()
	default:
		s.add(text[i : i+1])
	}
	return i
}

// quoted reads up to the closing quote. Without one the mark is a letter: this is prose, or
// somebody wants to hide what follows.
func (s *splitter) quoted(text string, i int) int {
	var inner []byte
	for j := i + 1; j < len(text); j++ {
		switch {
		case text[j] == text[i]:
			s.add(string(inner))
			s.substitutions(text[i], string(inner))
			return j
		case text[i] == '"' && text[j] == '\\' && j+1 < len(text):
			j++
		}
		inner = append(inner, text[j])
	}
	return i
}

var substitution = regexp.MustCompile("[$][(]|`")

// substitutions reads the commands that a shell runs to fill in a text in double quotes.
func (s *splitter) substitutions(quote byte, text string) {
	if quote != '"' {
		return
	}
	if at := substitution.FindStringIndex(text); at != nil {
		s.commands = append(s.commands, split(text[at[0]+1:])...)
	}
}

func (s *splitter) add(text string) {
	s.word, s.open = append(s.word, text...), true
}

func (s *splitter) endWord() {
	if !s.open {
		return
	}
	word := string(s.word)
	s.word, s.open = s.word[:0], false
	switch word {
	case "-exec", "-execdir", "-ok": // find starts what follows
		s.endCommand()
	default:
		s.words = append(s.words, word)
	}
}

func (s *splitter) endCommand() {
	s.endWord()
	if len(s.words) > 0 {
		s.commands = append(s.commands, s.words)
	}
	s.words = nil
}
