package report

import (
	"bufio"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
)

var (
	//go:embed page.gohtml
	pageText string
	//go:embed page.js
	script string
	//go:embed page.css
	style string
)

var page = template.Must(template.New("page").Parse(pageText))

// view is what the template sees.
type view struct {
	Report
	Policy  string
	Script  template.JS  // ours
	Style   template.CSS // ours
	Entries []entry
	Engines []string
	Matrix  []line
	Actions map[int]action
	Counts  []count
}

// count is one number of the summary.
type count struct {
	Status Status
	N      int
}

// Write renders the report as one HTML file. Its errors are those of w.
func Write(w io.Writer, r Report) error {
	v := view{
		Report: r, Policy: policy(), Script: template.JS(script), Style: template.CSS(style),
		Actions: actions(), Entries: []entry{},
	}
	for i := range r.Runs {
		v.Entries = append(v.Entries, entryOf(i+1, &r.Runs[i]))
	}
	v.Engines = enginesOf(v.Entries)
	v.Matrix = matrix(v.Entries, v.Engines)
	v.Counts = counts(v.Entries)
	out := bufio.NewWriter(w)
	if err := page.Execute(out, &v); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return out.Flush()
}

// Body is what the page shows of the n-th run, from 1. The template asks for one at a time.
func (v *view) Body(n int) body { return bodyOf(&v.Runs[n-1]) }

// policy allows the script and the style of this file by their digests, and nothing else: no
// network, no frames, no other script.
func policy() string {
	return "default-src 'none'; script-src " + source(script) + "; style-src " + source(style) +
		"; base-uri 'none'; form-action 'none'"
}

func source(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// counts are the numbers of the summary; those that are always wanted first.
func counts(entries []entry) []count {
	out := []count{{Status: Passed}, {Status: Failed}, {Status: Unknown}, {Status: Aborted}}
	for i := range entries {
		known := false
		for k := range out {
			if out[k].Status == entries[i].Status {
				out[k].N++
				known = true
			}
		}
		if !known {
			out[2].N++
		}
	}
	return out
}
