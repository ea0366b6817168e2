package scenarios

import (
	"fmt"
	"regexp"
	"strings"
)

// tag is one term of a tag expression.
var tag = regexp.MustCompile(`^~?@[^\s@~,&|!()]+$`)

// checkTags names the first term of a tag expression that is none. godog itself takes anything, and
// panics at an empty term.
func checkTags(expr string) error {
	if strings.TrimSpace(expr) == "" {
		if expr == "" {
			return nil
		}
		return badTag(1, expr)
	}
	at := 0 // characters before the term
	for either := range strings.SplitSeq(expr, ",") {
		for term := range strings.SplitSeq(either, "&&") {
			lead := len(term) - len(strings.TrimLeft(term, " \t"))
			if t := strings.TrimSpace(term); !tag.MatchString(t) {
				return badTag(1+at+lead, t)
			}
			at += len([]rune(term)) + len("&&")
		}
		at += len(",") - len("&&")
	}
	return nil
}

func badTag(at int, term string) error {
	e := &InputError{
		File: "--tags", What: fmt.Sprintf("character %d: %q is no tag", at, term),
		Mend: `write "@row-12", "~@slow" for scenarios without it, "&&" for both, "," for either`,
	}
	if strings.TrimSpace(term) == "" {
		e.What = fmt.Sprintf("character %d: a tag is missing", at)
	}
	return e
}

// alsoTags demands one more tag of every alternative of an expression: the comma binds weaker than
// "&&".
func alsoTags(expr, more string) string {
	if expr == "" || more == "" {
		return expr + more
	}
	parts := strings.Split(expr, ",")
	for i := range parts {
		parts[i] += " && " + more
	}
	return strings.Join(parts, ",")
}

// otherEngine is the tag of what an engine cannot run.
func otherEngine(engine string) string {
	return map[string]string{"virtual": "~@chromium-only", "chromium": "~@virtual-only"}[engine]
}
