package scenarios

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
)

// wanted is one feature file, and which of its lines were asked for.
type wanted struct {
	path  string // as it was given first
	lines []int  // nil = the whole file
}

// expand turns files, lines and folders into feature files, each once however often and by whatever
// name it was given: folders in the order of their names, everything else in the order of the
// paths.
func expand(paths []string) ([]wanted, error) {
	var all []wanted
	at := map[string]int{} // the file itself, whatever it was called
	for _, p := range paths {
		name, line := splitLine(p)
		files, err := featuresIn(name)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			id := identity(f)
			i, again := at[id]
			if !again {
				i = len(all)
				at[id], all = i, append(all, wanted{path: f})
			}
			all[i].add(line, again)
		}
	}
	return all, nil
}

// add asks for one line more, or for the whole file, which holds every line.
func (w *wanted) add(line int, again bool) {
	switch {
	case line == 0 || again && w.lines == nil:
		w.lines = nil
	case !slices.Contains(w.lines, line):
		w.lines = append(w.lines, line)
	}
}

// identity is the same for all names of one file.
func identity(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	return path
}

// featuresIn is the file itself, or the feature files in a folder.
func featuresIn(path string) ([]string, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, unreadable(path, err)
	case !info.IsDir():
		return []string{path}, nil
	}
	var found []string
	err = filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return unreadable(p, err)
		}
		if !d.IsDir() && filepath.Ext(p) == ".feature" {
			found = append(found, p)
		}
		return nil
	})
	return found, err
}

var lineSuffix = regexp.MustCompile(`^(.+):(\d+)$`)

// splitLine cuts FILE:LINE. A line is at least 1; a number that is none stays part of the name.
func splitLine(spec string) (path string, line int) {
	m := lineSuffix.FindStringSubmatch(spec)
	if m == nil {
		return spec, 0
	}
	n, err := strconv.Atoi(m[2])
	if err != nil || n == 0 {
		return spec, 0
	}
	return m[1], n
}
