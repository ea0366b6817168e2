package main

import (
	"strings"
	"testing"
	"testing/fstest"
)

func TestCheck(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	wide := "\t" + strings.Repeat("宽", 100) + "\n"
	tree := fstest.MapFS{
		"good.go":            file("\t" + strings.Repeat("宽", 99) + "\n" + strings.Repeat("\n", 399)),
		"wide/wide.go":       file("package x\n" + wide),
		"long.go":            file(strings.Repeat("\n", 401)),
		"table.go":           file(strings.Repeat("\n", 401)),
		"short.go":           file("package x\n"),
		"address.go":         file("// see https://example.org/" + strings.Repeat("x", 100) + "\n"),
		"directive.go":       file("//go:embed " + strings.Repeat("x", 100) + "\n"),
		"notes.txt":          file(wide),
		"x/testdata/wide.go": file(wide),
		".hidden/wide.go":    file(wide),
	}
	var out strings.Builder
	except := map[string]string{"table.go": "a table", "short.go": "was one"}
	found, err := check(tree, except, &out)
	want := "long.go: 401 lines; cut it at 400, or name it a table in tools/shape\n" +
		"wide/wide.go:2: 101 columns; wrap it at 100\n" +
		"short.go: is not longer than 400 lines; take it out of tools/shape\n"
	if err != nil || found != 3 || out.String() != want {
		t.Errorf("%d found, %v:\n%swant\n%s", found, err, out.String(), want)
	}
}
