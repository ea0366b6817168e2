// Command shape holds Go files to the measure that CONTRIBUTING.md names: a hundred characters in a
// line, a tab counting as one, and four hundred lines in a file, tables excepted.
//
//	go run ./tools/shape        # from the module's root; lists what is larger, and ends with 1
//
// What cannot be broken counts as it is: a line with an address, and a directive of the compiler.
package main

import (
	"bufio"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	columns = 100
	length  = 400
)

// tables are the files that may be longer, each with its reason.
var tables = map[string]string{
	"sim/oracle/oracle_test.go": "the histories that break each promise, and those that keep it",
}

func main() {
	found, err := check(os.DirFS("."), tables, os.Stdout)
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "shape:", err)
		os.Exit(2)
	case found > 0:
		os.Exit(1)
	}
}

// check lists every Go file of a tree that is too long or too wide, and counts the findings. An
// exception that nothing needs any more is one as well.
func check(tree fs.FS, except map[string]string, out io.Writer) (found int, err error) {
	report := func(format string, args ...any) {
		found++
		fmt.Fprintf(out, format+"\n", args...)
	}
	var needed []string
	err = fs.WalkDir(tree, ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != "." && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".")):
			return fs.SkipDir
		case d.IsDir() || filepath.Ext(path) != ".go":
			return nil
		}
		n, err := lines(tree, path, report)
		switch {
		case n > length && except[path] == "":
			report("%s: %d lines; cut it at %d, or name it a table in tools/shape", path, n, length)
		case n > length:
			needed = append(needed, path)
		}
		return err
	})
	for path := range except {
		if !slices.Contains(needed, path) {
			report("%s: is not longer than %d lines; take it out of tools/shape", path, length)
		}
	}
	return found, err
}

// lines counts the lines of a file and reports the wide ones.
func lines(tree fs.FS, path string, report func(string, ...any)) (n int, err error) {
	f, err := tree.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		n++
		if wide := utf8.RuneCount(s.Bytes()); wide > columns && !unbreakable(s.Text()) {
			report("%s:%d: %d columns; wrap it at %d", path, n, wide, columns)
		}
	}
	return n, s.Err()
}

func unbreakable(line string) bool {
	return strings.Contains(line, "://") || strings.HasPrefix(line, "//go:")
}
