package certify

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// The types of an in-toto attestation, as their specification names them.
const (
	StatementType = "https://in-toto.io/Statement/v1"
	PredicateType = "https://in-toto.io/attestation/test-result/v0.1"
)

// Descriptor names a thing by its digests.
type Descriptor struct {
	Name   string            `json:"name"`
	Digest map[string]string `json:"digest"`
}

// Statement is a certificate: an in-toto Statement whose predicate is a test result.
type Statement struct {
	Type          string       `json:"_type"`
	Subject       []Descriptor `json:"subject"`
	PredicateType string       `json:"predicateType"`
	Predicate     Predicate    `json:"predicate"`
}

// Predicate is a test result. Result, the configuration and the lists of names are what the
// predicate's specification demands; the rest is ours, which others pass over.
type Predicate struct {
	Result        string       `json:"result"` // PASSED or FAILED
	Configuration []Descriptor `json:"configuration"`
	PassedTests   []string     `json:"passedTests"`
	WarnedTests   []string     `json:"warnedTests"` // not verified
	FailedTests   []string     `json:"failedTests"`

	Profile  Profile  `json:"profile"`
	Features string   `json:"features"`
	Seed     string   `json:"seed"`
	Sample   []string `json:"sample,omitempty"` // of the mutants
	Finished string   `json:"finishedOn,omitempty"`
	Gates    []Result `json:"gates"`
}

// The values of Predicate.Result.
const (
	ResultPassed = "PASSED"
	ResultFailed = "FAILED"
)

func statement(p Plan, subjects []Descriptor, results []Result) *Statement {
	st := &Statement{Type: StatementType, Subject: subjects, PredicateType: PredicateType}
	st.Predicate = Predicate{
		Configuration: configuration(p),
		Profile:       p.Profile, Features: p.Features, Seed: p.Seed, Sample: p.Sample, Gates: results,
	}
	st.Predicate.count()
	return st
}

// count fills in the result and the lists of names from the gates.
func (p *Predicate) count() {
	p.Result = ResultPassed
	p.PassedTests, p.WarnedTests, p.FailedTests = []string{}, []string{}, []string{}
	for _, g := range p.Gates {
		switch g.Status {
		case Pass:
			p.PassedTests = append(p.PassedTests, g.Name)
		case NotVerified:
			p.WarnedTests = append(p.WarnedTests, g.Name)
		default:
			p.FailedTests = append(p.FailedTests, g.Name)
		}
		if g.Required && g.Status != Pass {
			p.Result = ResultFailed
		}
	}
	if len(p.PassedTests) == 0 {
		p.Result = ResultFailed
	}
}

// Passed tells whether every required gate passed.
func (s *Statement) Passed() bool { return s.Predicate.Result == ResultPassed }

// Broke tells whether a required gate failed, as opposed to not having been verified.
func (s *Statement) Broke() bool {
	return slices.ContainsFunc(s.Predicate.Gates, func(g Result) bool {
		return g.Required && g.Status != Pass && g.Status != NotVerified
	})
}

// Plan is the plan that the certificate was made by.
func (s *Statement) Plan() Plan {
	p := &s.Predicate
	return Plan{Profile: p.Profile, Features: p.Features, Seed: p.Seed, Sample: p.Sample}
}

// configuration names the gates of a plan: what they prove, how, and which are required.
func configuration(p Plan) []Descriptor {
	text := ""
	for _, g := range Gates(p) {
		text += fmt.Sprintf("%s %t %s\n", g.Name, g.Required, g.Proves)
		for _, s := range g.Steps {
			text += s.Line() + "\n"
		}
	}
	return []Descriptor{{
		Name:   "gates of profile " + string(p.Profile),
		Digest: map[string]string{"sha256": digest([]byte(text))},
	}}
}

// ErrStatement says that a text is not a certificate.
var ErrStatement = errors.New("not a certificate")

// Write renders the certificate as JSON.
func (s *Statement) Write() ([]byte, error) {
	text, err := json.MarshalIndent(s, "", "  ")
	return append(text, '\n'), err
}

// Read reads what Write gave.
func Read(text []byte) (*Statement, error) {
	var s Statement
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrStatement, err)
	}
	switch {
	case s.Type != StatementType:
		return nil, fmt.Errorf("%w: its _type is %q, expected %q", ErrStatement, s.Type, StatementType)
	case s.PredicateType != PredicateType:
		return nil, fmt.Errorf("%w: its predicateType is %q, expected %q", ErrStatement,
			s.PredicateType, PredicateType)
	case len(s.Predicate.Gates) == 0:
		return nil, fmt.Errorf("%w: it has no gates", ErrStatement)
	case !slices.Contains(Profiles(), string(s.Predicate.Profile)):
		return nil, fmt.Errorf("%w: no profile %q is known", ErrStatement, s.Predicate.Profile)
	}
	return &s, nil
}
