package scenarios

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing/fstest"

	gherkin "github.com/cucumber/gherkin/go/v42"
	messages "github.com/cucumber/messages/go/v34"

	"github.com/cucumber/godog"
)

// maxFeature is the largest feature file that is read.
const maxFeature = 4 << 20

// file is one feature file with the scenarios that were asked for.
type file struct {
	path    string
	source  []byte // what runs: the whole file, or what stands at the lines
	doc     *messages.GherkinDocument
	pickles []*messages.Pickle
	step    func(id string) *messages.Step // of the pickles
}

// load finds, reads and checks every feature under the paths, for one engine or, with "", for any.
// Nothing runs when anything is wrong: all mistakes come back joined, each an *InputError.
func load(paths []string, tags, engine string) ([]file, error) {
	if err := checkTags(tags); err != nil {
		return nil, err
	}
	found, err := expand(paths)
	if err != nil {
		return nil, err
	}
	every := alsoTags(tags, otherEngine(engine))
	var files []file
	var mistakes []error
	for _, w := range found {
		f, err := parse(w, every)
		if err == nil {
			err = f.check(engine)
		}
		switch {
		case err != nil:
			mistakes = append(mistakes, err)
		case len(f.pickles) > 0:
			files = append(files, f)
		}
	}
	if err := errors.Join(mistakes...); err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, nothing(paths, tags, len(found))
	}
	return files, nil
}

// nothing is the mistake of a selection that selects no scenario: it would pass without a proof.
func nothing(paths []string, tags string, files int) error {
	e := &InputError{
		File: strings.Join(paths, " "), What: "no scenario here",
		Mend: "give a .feature file or a folder of them",
	}
	if files > 0 {
		e.Mend = "give files with scenarios for this engine"
	}
	if files > 0 && tags != "" {
		e.File, e.What = "--tags", fmt.Sprintf("%q selects no scenario of %s", tags, e.File)
		e.Mend = "name tags that stand there, or leave --tags out"
	}
	return e
}

func parse(w wanted, tags string) (file, error) {
	f := file{path: w.path}
	src, err := readFeature(w.path)
	if err != nil {
		return f, err
	}
	f.doc, err = gherkin.ParseGherkinDocument(bytes.NewReader(src), (&messages.Incrementing{}).NewId)
	if err != nil {
		return f, grammar(w.path, err)
	}
	f.source = src
	if w.lines != nil {
		var missed int
		if f.source, missed = narrow(src, f.doc, w.lines); missed > 0 {
			return f, &InputError{
				File: w.path, Line: missed, What: "no scenario stands here",
				Mend: "give a line of a scenario, or the file alone",
			}
		}
	}
	if f.pickles, err = f.selection(tags); err != nil {
		return f, &InputError{File: w.path, What: reason(err), Mend: "mend the file", Err: err}
	}
	return f, nil
}

func readFeature(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err == nil && info.Size() > maxFeature {
		return nil, &InputError{
			File: path, What: fmt.Sprintf("is %d bytes; a feature has at most %d", info.Size(), maxFeature),
			Mend: "cut it into several files",
		}
	}
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	return src, nil
}

// contents gives the file to godog, which knows it by its path.
func (f *file) contents() []godog.Feature {
	return []godog.Feature{{Name: f.path, Contents: f.source}}
}

// selection is godog's own choice of scenarios by tags. RetrieveFeatures reads a file system only,
// so it gets one with this one file; ids are given in the order of the text and agree with those of
// Run.
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
	e := &InputError{
		File: path, What: "is not Gherkin: " + err.Error(), Err: err,
		Mend: `write "Feature:", "Scenario:" and steps that begin with Given, When, Then, And or But`,
	}
	if m := grammarPlace.FindStringSubmatch(err.Error()); m != nil {
		e.Line, _ = strconv.Atoi(m[1]) // digits only
		e.What = "is not Gherkin: " + m[3]
	}
	return e
}
