package scenarios

import "regexp"

// Planned is one scenario as it stands in its file, before anything runs: an example row of an
// outline is a scenario of its own.
type Planned struct {
	Feature string
	Name    string
	URI     string
	Line    int
	Tags    []string
	Steps   []string // with the values of the example row in them
	Faults  []string // the kinds of its schedule, in order
}

// List reads and checks every feature under the paths, and lists the scenarios that tags select (""
// = all). An error is an *InputError, or several joined.
func List(paths []string, tags string) ([]Planned, error) {
	files, err := load(paths, tags, "")
	if err != nil {
		return nil, err
	}
	var out []Planned
	for _, f := range files {
		for _, p := range f.pickles {
			plan := Planned{
				Feature: f.doc.Feature.Name, Name: p.Name, URI: f.path, Line: int(p.Location.Line),
			}
			for _, t := range p.Tags {
				plan.Tags = append(plan.Tags, t.Name)
			}
			for _, s := range p.Steps {
				plan.Steps = append(plan.Steps, s.Text)
				if m := struckBy.FindStringSubmatch(s.Text); m != nil {
					plan.Faults = append(plan.Faults, m[1])
				}
			}
			out = append(out, plan)
		}
	}
	return out, nil
}

// struckBy is what all sentences of a schedule begin with.
var struckBy = regexp.MustCompile(`^"([a-z0-9-]+)"(?: .*)? strikes `)
