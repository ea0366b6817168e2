package scenarios

import (
	"fmt"
	"strings"

	messages "github.com/cucumber/messages/go/v34"

	"bridgesim/faults"
	"bridgesim/sim"
)

// Compiled is one scenario as the script that its Given steps build. Nothing has run.
type Compiled struct {
	Planned
	Script sim.Script
	// Given are the steps that build the script, without those of its schedule: lines of Gherkin
	// without keyword and indentation, what stands under a step behind it.
	Given []string
}

// Compile reads and checks every feature under the paths and builds the script of each scenario
// that tags select, once: an exploration plays it thousands of times without Gherkin. Then steps
// are left out. An error is an *InputError, or several joined.
func Compile(paths []string, tags string, seed uint64) ([]Compiled, error) {
	files, err := load(paths, tags, faults.EngineVirtual)
	if err != nil {
		return nil, err
	}
	var out []Compiled
	for _, f := range files {
		for _, p := range f.pickles {
			c, err := f.compile(p, seed)
			if err != nil {
				return nil, err
			}
			out = append(out, c)
		}
	}
	return out, nil
}

// compile carries out the Given steps of one scenario.
func (f *file) compile(p *messages.Pickle, seed uint64) (Compiled, error) {
	c := Compiled{Planned: Planned{
		Feature: f.doc.Feature.Name, Name: p.Name, URI: f.path, Line: int(p.Location.Line),
	}}
	for _, t := range p.Tags {
		c.Tags = append(c.Tags, t.Name)
	}
	s := &scenario{on: faults.EngineVirtual}
	s.script.Name, s.script.Seed = p.Name, seed
	for _, ps := range p.Steps {
		c.Steps = append(c.Steps, ps.Text)
		st, part, _ := find(ps.Text)
		if part != given {
			continue
		}
		had := len(s.script.Schedule)
		if err := st.try(s, part, ps); err != nil {
			return c, misfit(f.path, f.place(p, ps), err)
		}
		if len(s.script.Schedule) > had {
			c.Faults = append(c.Faults, string(s.script.Schedule[had].Kind))
			continue
		}
		c.Given = append(c.Given, asGherkin(ps))
	}
	c.Script = s.script
	return c, nil
}

// asGherkin is a step as Gherkin, with what stands under it.
func asGherkin(ps *messages.PickleStep) string {
	switch arg := ps.Argument; {
	case arg == nil:
		return ps.Text
	case arg.DocString != nil:
		return ps.Text + "\n  \"\"\"\n" + indented(arg.DocString.Content) + "  \"\"\""
	default:
		return ps.Text + asTable(arg.DataTable)
	}
}

func indented(text string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(text, "\n") {
		fmt.Fprintf(&b, "  %s\n", strings.ReplaceAll(line, `"""`, `\"\"\"`))
	}
	return b.String()
}

var cellText = strings.NewReplacer(`\`, `\\`, "|", `\|`, "\n", `\n`)

func asTable(t *messages.PickleTable) string {
	var b strings.Builder
	for _, row := range t.Rows {
		b.WriteString("\n  |")
		for _, cell := range row.Cells {
			b.WriteString(" " + cellText.Replace(cell.Value) + " |")
		}
	}
	return b.String()
}
