package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const root = "../.."

// TestArchitectureNamesEveryPackage: each folder with Go files stands in the table of packages, and
// each name of the table is such a folder.
func TestArchitectureNamesEveryPackage(t *testing.T) {
	there, listed := packages(t), tableOfPackages(t)
	if len(listed) < 20 {
		t.Fatalf("the table has %d packages", len(listed))
	}
	for _, p := range there {
		if !slices.Contains(listed, p) {
			t.Errorf("docs/architecture.md does not list %s", p)
		}
	}
	for i, p := range listed {
		if !slices.Contains(there, p) {
			t.Errorf("docs/architecture.md lists %s, which is no package", p)
		}
		if slices.Contains(listed[:i], p) {
			t.Errorf("docs/architecture.md lists %s twice", p)
		}
	}
}

// packages are the folders of the module that hold Go files.
func packages(t *testing.T) (dirs []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && path != root):
			return filepath.SkipDir
		case filepath.Ext(path) != ".go":
			return nil
		}
		dir, err := filepath.Rel(root, filepath.Dir(path))
		if dir = filepath.ToSlash(dir); !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return dirs
}

var quoted = regexp.MustCompile("`([^`]+)`")

// tableOfPackages reads the first column of the table under "## Packages".
func tableOfPackages(t *testing.T) (names []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## Packages\n")
	section, _, _ = strings.Cut(section, "\n## ")
	for line := range strings.Lines(section) {
		cells := strings.Split(line, "|")
		if len(cells) < 3 {
			continue
		}
		for _, m := range quoted.FindAllStringSubmatch(cells[1], -1) {
			names = append(names, m[1])
		}
	}
	return names
}
