package scenarios

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"testing"
)

// TestNamesAreWhole: what the code names, a feature may name. A constant that is missing in our
// lists would be refused as a mistake.
func TestNamesAreWhole(t *testing.T) {
	for _, c := range []struct {
		file, typ string
		has       func(string) bool
	}{
		{"../bridge/session/record.go", "RecordKind", in(records)},
		{"../bridge/outcome.go", "Outcome", in(outcomes)},
	} {
		values := constants(t, c.file, c.typ)
		if len(values) < 5 {
			t.Errorf("%s has %d constants of %s", c.file, len(values), c.typ)
		}
		for _, v := range values {
			if !c.has(v) {
				t.Errorf("%s %q is in no list", c.typ, v)
			}
		}
	}
}

func in[T ~string](list []T) func(string) bool {
	return func(v string) bool { return slices.Contains(list, T(v)) }
}

// constants are the values of a file's constants of one type.
func constants(t *testing.T, file, typ string) (values []string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		id, ok := spec.Type.(*ast.Ident)
		if !ok || id.Name != typ {
			return true
		}
		for _, v := range spec.Values {
			if lit, ok := v.(*ast.BasicLit); ok {
				text, err := strconv.Unquote(lit.Value)
				if err != nil {
					t.Fatal(err)
				}
				values = append(values, text)
			}
		}
		return true
	})
	return values
}

// TestExamplesAreRead: each example is read by its own step alone, and its words make sense.
func TestExamplesAreRead(t *testing.T) {
	for _, g := range vocabulary {
		for i := range g.steps {
			want := &g.steps[i]
			text := sentence(want.example)
			got, part, n := find(text)
			if got != want || part != g.role || n != 1 {
				t.Errorf("%q is read by %d steps", text, n)
				continue
			}
			if want.check != nil {
				if err := want.check(want.pattern.FindStringSubmatch(text)[1:]); err != nil {
					t.Errorf("%q: %v", text, err)
				}
			}
			if want.sentence == "" {
				t.Errorf("%q has no sentence", text)
			}
		}
	}
}

// sentence is an example without its keyword and without what stands under it.
func sentence(example string) string {
	for i := range example {
		if example[i] == '\n' {
			example = example[:i]
			break
		}
	}
	for i := range example {
		if example[i] == ' ' {
			return example[i+1:]
		}
	}
	return example
}
