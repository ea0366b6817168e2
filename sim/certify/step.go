package certify

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Tool is what runs a step.
type Tool string

// The tools.
const (
	Subject Tool = "sim" // the binary that is certified
	Go      Tool = "go"  // the Go tool, in the folder of the source
)

// Step is one command that makes evidence. Steps of one name are one step, which is run once.
type Step struct {
	Name  string
	Tool  Tool
	Args  []string
	Limit time.Duration // real time after which it has failed
}

// Line is the command as a person types it.
func (s Step) Line() string {
	words := []string{string(s.Tool)}
	for _, a := range s.Args {
		if a == "" || strings.ContainsAny(a, " '\"|$^*()") {
			a = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
		words = append(words, a)
	}
	return strings.Join(words, " ")
}

// Output is what a step left.
type Output struct {
	Stdout  []byte
	Stderr  []byte
	Exit    int    // -1 when it did not end by itself
	Missing string // what the machine lacks to run it; "" = it ran
	Broken  string // why it has no end of its own: killed, over its limit; "" = it ended
	Took    time.Duration
}

// Runner runs a step. An error is about the call itself (interrupted); what the command made of it
// is in the Output.
type Runner func(ctx context.Context, s Step) (Output, error)

// record is an Output as evidence beside its standard output.
type record struct {
	Command string `json:"command"`
	Exit    int    `json:"exit"`
	Missing string `json:"missing,omitempty"`
	Broken  string `json:"broken,omitempty"`
	Stderr  string `json:"stderr,omitempty"`
	Stdout  string `json:"stdout"` // SHA-256 of the file with it
}

// maxStderr is how much of a step's standard error is kept: its end.
const maxStderr = 16 << 10

// files are the evidence of a step: how it ended, and what it printed.
func (o *Output) files(s Step) ([]File, error) {
	text, err := json.MarshalIndent(record{
		Command: s.Line(), Exit: o.Exit, Missing: o.Missing, Broken: o.Broken,
		Stderr: tail(string(o.Stderr), maxStderr), Stdout: digest(o.Stdout),
	}, "", "  ")
	if err != nil {
		return nil, err
	}
	return []File{
		{Name: "evidence/" + s.Name + ".step.json", Content: append(text, '\n')},
		{Name: "evidence/" + s.Name + ".out", Content: o.Stdout},
	}, nil
}

// ErrEvidence says that files are not what a step left.
var ErrEvidence = errors.New("this is no evidence of a step")

// outputOf reads what files gave.
func outputOf(recorded, stdout []byte) (Output, error) {
	var r record
	if err := json.Unmarshal(recorded, &r); err != nil {
		return Output{}, fmt.Errorf("%w: %w", ErrEvidence, err)
	}
	if r.Stdout != digest(stdout) {
		return Output{}, fmt.Errorf("%w: what it printed was changed", ErrEvidence)
	}
	return Output{
		Stdout: stdout, Stderr: []byte(r.Stderr), Exit: r.Exit, Missing: r.Missing, Broken: r.Broken,
	}, nil
}

// File is one file of a certificate: its name, relative to the certificate's folder, and content.
type File struct {
	Name    string
	Content []byte
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// tail is the end of a text, from the beginning of a line where one is near.
func tail(s string, n int) string {
	s = strings.ToValidUTF8(strings.TrimSpace(s), "\uFFFD")
	if len(s) <= n {
		return s
	}
	s = s[len(s)-n:]
	if _, rest, ok := strings.Cut(s, "\n"); ok {
		s = rest
	}
	return "… " + strings.ToValidUTF8(s, "")
}
