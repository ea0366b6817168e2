package mutants

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Mutant is a wrong bridge.
type Mutant struct {
	Name string
	// Promise is what must catch it: the name of an oracle, Determinism, or Test.
	Promise string
	Why     string // how a person could come to write it
	Edits   []Edit

	// Package and Run name the Go tests that must catch a mutant whose promise is Test: what they
	// watch does not exist in a virtual run.
	Package, Run string
}

// The promises that no oracle judges.
const (
	// Determinism is the comparison of two runs of one seed.
	Determinism = "determinism"
	// Test is a Go test of the package that was mutated.
	Test = "test"
	// Then is a scenario's own Then, where every oracle was content.
	Then = "then"
)

// Edit replaces a text that stands in a file exactly once.
type Edit struct {
	File     string // from the module's root
	From, To string
}

// ErrEdit says that a mutant does not fit the source any more: the table is to be mended.
var ErrEdit = errors.New("the mutant cannot be applied")

// applied returns the mutated files, by path from the root.
func (m *Mutant) applied(root string) (map[string]string, error) {
	files := map[string]string{}
	for _, e := range m.Edits {
		text, ok := files[e.File]
		if !ok {
			data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(e.File)))
			if err != nil {
				return nil, fmt.Errorf("%s: %w: %w", m.Name, ErrEdit, err)
			}
			text = string(data)
		}
		if n := strings.Count(text, e.From); n != 1 {
			return nil, fmt.Errorf("%s: %w: %s has %d times what is to be replaced once:\n%s",
				m.Name, ErrEdit, e.File, n, e.From)
		}
		files[e.File] = strings.Replace(text, e.From, e.To, 1)
	}
	return files, nil
}
