package scenarios

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing/fstest"

	gherkin "github.com/cucumber/gherkin/go/v42"
	messages "github.com/cucumber/messages/go/v34"

	"github.com/cucumber/godog"
)

// InputError is a mistake in what a person gave: which file, which line, what to do.
type InputError struct {
	File string
	Line int // 0 = the file as a whole
	What string
	Err  error
}

// Error is one line that begins with file and line.
func (e *InputError) Error() string {
	place := e.File
	if e.Line > 0 {
		place += ":" + strconv.Itoa(e.Line)
	}
	return place + ": " + e.What
}

// Unwrap gives the cause, if there is one.
func (e *InputError) Unwrap() error { return e.Err }

// maxFeature is the largest feature file that is read.
const maxFeature = 4 << 20

// file is one feature file with the scenarios that were asked for.
type file struct {
	spec    string // path, with ":line" if one was given
	path    string
	source  []byte // what runs: the whole file, or what stands at the line
	doc     *messages.GherkinDocument
	pickles []*messages.Pickle
	step    func(id string) *messages.Step // of the pickles
}

// load finds, reads and checks every feature under the paths. Nothing runs when anything is wrong:
// all mistakes come back joined.
func load(paths []string, tags string) ([]file, error) {
	specs, err := expand(paths)
	if err != nil {
		return nil, err
	}
	var files []file
	var mistakes []error
	for _, spec := range specs {
		f, err := parse(spec, tags)
		if err == nil {
			err = f.check()
		}
		if err != nil {
			mistakes = append(mistakes, err)
			continue
		}
		if len(f.pickles) > 0 {
			files = append(files, f)
		}
	}
	if err := errors.Join(mistakes...); err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, &InputError{
			File: strings.Join(paths, " "),
			What: "no scenario here; give a .feature file, a folder of them, or other --tags",
		}
	}
	return files, nil
}

// expand turns folders into the feature files in them, in the order of their names.
func expand(paths []string) ([]string, error) {
	var specs []string
	for _, p := range paths {
		name, _ := splitLine(p)
		info, err := os.Stat(name)
		switch {
		case err != nil:
			return nil, &InputError{File: name, What: "cannot be read: " + reason(err), Err: err}
		case !info.IsDir():
			specs = append(specs, p)
		default:
			found, err := walk(p)
			if err != nil {
				return nil, err
			}
			specs = append(specs, found...)
		}
	}
	return specs, nil
}

func walk(dir string) ([]string, error) {
	var found []string
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return &InputError{File: p, What: "cannot be read: " + reason(err), Err: err}
		}
		if !d.IsDir() && filepath.Ext(p) == ".feature" {
			found = append(found, p)
		}
		return nil
	})
	return found, err
}

func reason(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}

var lineSuffix = regexp.MustCompile(`^(.+):(\d+)$`)

func splitLine(spec string) (path string, line int) {
	if m := lineSuffix.FindStringSubmatch(spec); m != nil {
		n, _ := strconv.Atoi(m[2]) // digits only: it can merely be too large, and then no line matches
		return m[1], n
	}
	return spec, 0
}

func parse(spec, tags string) (file, error) {
	path, line := splitLine(spec)
	f := file{spec: spec, path: path}
	src, err := readFeature(path)
	if err != nil {
		return f, err
	}
	f.doc, err = gherkin.ParseGherkinDocument(bytes.NewReader(src), (&messages.Incrementing{}).NewId)
	if err != nil {
		return f, grammar(path, err)
	}
	f.source = src
	if line > 0 {
		f.source = narrow(src, f.doc, line)
	}
	if f.pickles, err = f.selection(tags); err != nil {
		return f, &InputError{File: path, What: err.Error(), Err: err}
	}
	return f, nil
}

func readFeature(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err == nil && info.Size() > maxFeature {
		return nil, &InputError{File: path, What: fmt.Sprintf(
			"is %d bytes; a feature has at most %d", info.Size(), maxFeature)}
	}
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, &InputError{File: path, What: "cannot be read: " + reason(err), Err: err}
	}
	return src, nil
}

// contents gives the file to godog, which knows it by its path.
func (f *file) contents() []godog.Feature {
	return []godog.Feature{{Name: f.path, Contents: f.source}}
}

// selection is godog's own choice of scenarios by tags. RetrieveFeatures reads a file system only, so
// it gets one with this one file; ids are given in the order of the text and agree with those of Run.
func (f *file) selection(tags string) ([]*messages.Pickle, error) {
	const name = "one.feature"
	features, err := godog.TestSuite{Options: &godog.Options{
		FS: fstest.MapFS{name: {Data: f.source}}, Paths: []string{name}, Tags: tags, Format: "progress",
	}}.RetrieveFeatures()
	if err != nil {
		return nil, err
	}
	var out []*messages.Pickle
	for _, one := range features {
		out, f.step = append(out, one.Pickles...), one.FindStep
	}
	return out, nil
}

var grammarPlace = regexp.MustCompile(`\((\d+):(\d+)\): (.*)`)

// grammar turns the parser's report into one line for its first mistake.
func grammar(path string, err error) error {
	e := &InputError{File: path, What: "is not Gherkin: " + err.Error(), Err: err}
	if m := grammarPlace.FindStringSubmatch(err.Error()); m != nil {
		e.Line, _ = strconv.Atoi(m[1]) // digits only
		e.What = "is not Gherkin: " + m[3]
	}
	return e
}

// line is where a step of a pickle stands in the file.
func (f *file) line(s *messages.PickleStep) int {
	if st := f.step(s.AstNodeIds[0]); st != nil {
		return int(st.Location.Line)
	}
	return 0
}

// check names the first step that no sentence of the vocabulary, or more than one, matches.
func (f *file) check() error {
	for _, p := range f.pickles {
		for _, s := range p.Steps {
			switch n := matches(s.Text); {
			case n == 0:
				return &InputError{File: f.path, Line: f.line(s), What: fmt.Sprintf(
					"no step reads %q; `sim steps` lists them all", s.Text)}
			case n > 1:
				return &InputError{File: f.path, Line: f.line(s), What: fmt.Sprintf(
					"%d steps read %q; the vocabulary is ambiguous", n, s.Text)}
			}
		}
	}
	return nil
}
