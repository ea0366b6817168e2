package wire

import (
	"strings"
	"unicode/utf8"
)

// fieldID numbers the "KEY: value" lines of HELLO, HS and RESUME.
type fieldID int

const (
	fieldType fieldID = iota
	fieldS
	fieldHV
	fieldCV
	fieldCap
	fieldFeat
	fieldCK
	fieldNext
	fieldQID
	fieldReq
	fieldAction
	fieldCount
)

var fieldNames = [fieldCount]string{
	"TYPE", "S", "HV", "CV", "CAP", "FEAT", "CK", "NEXT", "QID", "REQ", "ACTION",
}

func fieldNamed(key string) (fieldID, bool) {
	for i := range fieldNames {
		if fieldNames[i] == key {
			return fieldID(i), true
		}
	}
	return 0, false
}

// field is one value as found, where, and how often its key came.
type field struct {
	value        string
	line, column int
	times        int
}

type fieldSet [fieldCount]field

// put records a value. The first one stays; a second one makes the field unusable, because which of
// two counts would be a guess.
func (s *fieldSet) put(id fieldID, value string, line, column int) {
	f := &s[id]
	if f.times == 0 {
		*f = field{value: value, line: line, column: column}
	}
	f.times++
}

// once returns the value of a field that came exactly once and is not empty.
func (s *fieldSet) once(id fieldID) (string, bool) {
	return s[id].value, s[id].times == 1 && s[id].value != ""
}

// absent: the key did not come, or with nothing after the colon.
func (s *fieldSet) absent(id fieldID) bool { return s[id].value == "" && s[id].times <= 1 }

// got describes a field for a report.
func (s *fieldSet) got(id fieldID) string {
	switch f := &s[id]; {
	case f.times > 1:
		return quoteShort(f.value) + " (given more than once)"
	default:
		return quoteShort(f.value)
	}
}

func (s *fieldSet) number(id fieldID) (int, bool) {
	v, ok := s.once(id)
	if !ok {
		return 0, false
	}
	return parseNumber(v)
}

// contract splits "CV: 2 p2.478d1ef2" into number and tag. Each may be missing or malformed apart
// from the other.
func (s *fieldSet) contract() (cv int, number bool, tag string) {
	v, ok := s.once(fieldCV)
	if !ok {
		return 0, false, ""
	}
	word, rest := cutWord(v)
	cv, number = parseNumber(word)
	return cv, number, tidy(rest)
}

// maxFeatures bounds the list on a FEAT line.
const maxFeatures = 64

// splitList reads a comma-separated list; full-width and enumeration commas count, empty entries do
// not. It stops after maxFeatures entries.
func splitList(v string) []string {
	var list []string
	for v != "" && len(list) < maxFeatures {
		item := v
		i := strings.IndexAny(v, ",，、;；")
		if i >= 0 {
			item = v[:i]
			_, n := utf8.DecodeRuneInString(v[i:])
			v = v[i+n:]
		} else {
			v = ""
		}
		if item = unquote(tidy(item)); item != "" {
			list = append(list, item)
		}
	}
	return list
}
