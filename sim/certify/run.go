package certify

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// Options say what is certified, and bring what this package does not do itself.
type Options struct {
	Plan Plan
	// Subjects are what the certificate is about; see Subjects.
	Subjects []Descriptor
	Run      Runner
	// Keep stores a file of the certificate, at once: an interrupted run leaves what it has.
	Keep func(File) error
	// Each hears of every gate as it is judged.
	Each func(Gate, Result)
	// Where is put in front of the files that a line to repeat a breach names.
	Where string
	// Program is what a person types in place of "sim" to run what is certified; "" = sim itself.
	Program string
	// Finished is the time in the certificate, RFC 3339; "" leaves it out.
	Finished func() string
}

// Result is one gate in a certificate.
type Result struct {
	Name     string         `json:"name"`
	Proves   string         `json:"proves"`
	How      []string       `json:"how"` // command lines
	Required bool           `json:"required"`
	Status   Status         `json:"status"`
	Reason   string         `json:"reason,omitempty"`
	Found    []string       `json:"found,omitempty"` // the first that broke
	Repro    []string       `json:"repro,omitempty"`
	Numbers  map[string]int `json:"numbers,omitempty"`
	Evidence []Descriptor   `json:"evidence,omitempty"`
	Took     time.Duration  `json:"took"` // nanoseconds of the steps that it was the first to need
}

// Run runs the steps of a profile, each once, judges every gate, and returns the certificate. When
// it is interrupted the gates that are left are NOT_VERIFIED, and the error says so.
func Run(ctx context.Context, o Options) (*Statement, error) {
	r := &running{Options: o, evidence: Evidence{}, files: map[string][]Descriptor{}}
	var results []Result
	for _, g := range Gates(o.Plan) {
		res, err := r.gate(ctx, g)
		if err != nil {
			return nil, err
		}
		results = append(results, res)
		if o.Each != nil {
			o.Each(g, res)
		}
	}
	st := statement(o.Plan, o.Subjects, results)
	if o.Finished != nil {
		st.Predicate.Finished = o.Finished()
	}
	return st, ctx.Err()
}

// running is a certification under way.
type running struct {
	Options
	evidence Evidence
	files    map[string][]Descriptor // of each step
}

func (r *running) gate(ctx context.Context, g Gate) (Result, error) {
	res := Result{Name: g.Name, Proves: g.Proves, Required: g.Required, How: []string{}}
	for _, s := range g.Steps {
		took, err := r.step(ctx, s)
		if err != nil {
			return res, err
		}
		res.Took += took
		res.How = append(res.How, s.Line())
		res.Evidence = append(res.Evidence, r.files[s.Name]...)
	}
	f := g.Judge(r.evidence)
	res.take(f)
	for i, line := range res.Repro {
		line = strings.Replace(line, " evidence/", " "+r.Where+"evidence/", 1)
		if rest, ok := strings.CutPrefix(line, string(Subject)+" "); ok && r.Program != "" {
			line = r.Program + " " + rest
		}
		res.Repro[i] = line
	}
	for _, file := range f.Files {
		d, err := r.keep(file)
		if err != nil {
			return res, err
		}
		res.Evidence = append(res.Evidence, d)
	}
	return res, nil
}

// take makes a finding the result.
func (r *Result) take(f Finding) {
	r.Status, r.Reason, r.Found, r.Repro, r.Numbers = f.Status, f.Reason, f.Found, f.Repro, f.Numbers
}

// step runs a step that has not run yet. An interruption leaves no evidence, and is no error here.
func (r *running) step(ctx context.Context, s Step) (time.Duration, error) {
	if r.evidence[s.Name] != nil || ctx.Err() != nil {
		return 0, nil
	}
	out, err := r.Run(ctx, s)
	if ctx.Err() != nil {
		return out.Took, nil
	}
	if err != nil {
		return 0, fmt.Errorf("running %q: %w", s.Line(), err)
	}
	files, err := out.files(s)
	if err != nil {
		return 0, err
	}
	for _, f := range files {
		d, err := r.keep(f)
		if err != nil {
			return 0, err
		}
		r.files[s.Name] = append(r.files[s.Name], d)
	}
	r.evidence[s.Name] = &out
	return out.Took, nil
}

func (r *running) keep(f File) (Descriptor, error) {
	if r.Keep != nil {
		if err := r.Keep(f); err != nil {
			return Descriptor{}, fmt.Errorf("keeping %s: %w", f.Name, err)
		}
	}
	return Descriptor{Name: f.Name, Digest: map[string]string{"sha256": digest(f.Content)}}, nil
}
