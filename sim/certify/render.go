package certify

import (
	_ "embed"
	"encoding/xml"
	"fmt"
	"html/template"
	"io"
	"strings"
	"time"
)

//go:embed page.gohtml
var pageText string

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"took": func(d time.Duration) string { return d.Round(100 * time.Millisecond).String() },
	"word": func(s Status) string { return strings.ReplaceAll(string(s), "_", " ") },
}).Parse(pageText))

// WriteHTML renders the certificate for a person, as one file without script or network.
func (s *Statement) WriteHTML(w io.Writer) error {
	if err := page.Execute(w, s); err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	return nil
}

type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     string      `xml:"time,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name    string      `xml:"name,attr"`
	Class   string      `xml:"classname,attr"`
	Time    string      `xml:"time,attr"`
	Failure *junitFault `xml:"failure,omitempty"`
	Error   *junitFault `xml:"error,omitempty"`
	Skipped *junitFault `xml:"skipped,omitempty"`
}

type junitFault struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

// WriteJUnit renders the gates as test cases. A required gate that was not verified is an error,
// because a reader takes what is skipped for good.
func (s *Statement) WriteJUnit(w io.Writer) error {
	suite := junitSuite{Name: "sim certify --profile " + string(s.Predicate.Profile)}
	var all time.Duration
	for i := range s.Predicate.Gates {
		g := &s.Predicate.Gates[i]
		all += g.Took
		c := junitCase{
			Name: g.Name, Class: "certify." + string(s.Predicate.Profile), Time: inSeconds(g.Took),
		}
		fault := &junitFault{
			Message: clean(g.Reason), Type: string(g.Status),
			Text: clean(strings.Join(append(append([]string{g.Proves}, g.Found...), g.Repro...), "\n")),
		}
		switch {
		case g.Status == Pass:
		case g.Status == NotVerified && !g.Required:
			fault.Type = ""
			c.Skipped = fault
			suite.Skipped++
		case g.Status == NotVerified:
			c.Error = fault
			suite.Errors++
		default:
			c.Failure = fault
			suite.Failures++
		}
		suite.Cases = append(suite.Cases, c)
	}
	suite.Tests, suite.Time = len(suite.Cases), inSeconds(all)
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(suite); err != nil {
		return fmt.Errorf("writing JUnit XML: %w", err)
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func inSeconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }

// clean leaves out what XML cannot hold.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' {
			return '?'
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
}

// WriteSummary renders a table in Markdown, for the summary of a build.
func (s *Statement) WriteSummary(w io.Writer) error {
	var b strings.Builder
	p := &s.Predicate
	fmt.Fprintf(&b, "## Certificate, profile %s: %s\n\n", p.Profile, p.Result)
	b.WriteString("| gate | result | proves | reason |\n| --- | --- | --- | --- |\n")
	for _, g := range p.Gates {
		status := string(g.Status)
		if !g.Required {
			status += " (not required)"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", markdown(g.Name), markdown(status), markdown(g.Proves),
			markdown(g.Reason))
	}
	for _, g := range p.Gates {
		if len(g.Repro) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n%s again:\n\n", markdown(g.Name))
		for _, line := range g.Repro[:min(3, len(g.Repro))] {
			fmt.Fprintf(&b, "    %s\n", clean(strings.ReplaceAll(line, "\n", " ")))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

var escapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "|", "&#124;", "\n", " ",
	"`", "&#96;", "[", "&#91;", "*", "&#42;", "_", "&#95;")

// markdown makes a text one that steers no renderer.
func markdown(s string) string { return escapes.Replace(clean(s)) }
