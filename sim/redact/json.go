package redact

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
)

// member is a name under which a secret stands, as the whole name of a member.
var member = regexp.MustCompile(`(?i)^(?:` + names + `)$`)

// JSON gives one JSON value without its secrets, and how many were taken out: texts under the name
// of a secret, and what Text finds in any other text. Members that are spared are read like any
// other text. What is no JSON goes through Text. A value without a secret comes back as it is.
func JSON(text string, spared ...string) (clean string, found int) {
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil || d.InputOffset() != int64(len(text)) {
		return Text(text)
	}
	v = value("", v, spared, &found)
	if found == 0 {
		return text, 0
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return Text(text)
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte{'\n'})), found
}

// value cleans one value that stands under a name.
func value(name string, v any, spared []string, found *int) any {
	switch v := v.(type) {
	case map[string]any:
		for k, inner := range v {
			v[k] = value(k, inner, spared, found)
		}
	case []any:
		for i, inner := range v {
			v[i] = value(name, inner, spared, found)
		}
	case string:
		if v != "" && !slices.Contains(spared, name) && member.MatchString(name) {
			if marked(v) {
				return v
			}
			*found++
			return Mark(v)
		}
		clean, n := Text(v)
		*found += n
		return clean
	}
	return v
}
