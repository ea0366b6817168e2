package scenarios

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
)

// merge joins the outputs of one suite per file into one document of the format.
func merge(format string, outs []bytes.Buffer, w io.Writer) error {
	switch format {
	case "cucumber":
		return mergeCucumber(outs, w)
	case "junit":
		return mergeJUnit(outs, w)
	}
	for i := range outs {
		if _, err := w.Write(outs[i].Bytes()); err != nil {
			return err
		}
	}
	return nil
}

func mergeCucumber(outs []bytes.Buffer, w io.Writer) error {
	all := []json.RawMessage{}
	for i := range outs {
		var features []json.RawMessage
		if err := json.Unmarshal(outs[i].Bytes(), &features); err != nil {
			return fmt.Errorf("joining the cucumber reports: %w", err)
		}
		all = append(all, features...)
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(all)
}

// junit is the part of JUnit XML that has to be summed; everything else is passed on as it stands.
type junit struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Attrs []xml.Attr `xml:",any,attr"`
	Inner []byte     `xml:",innerxml"`
}

func mergeJUnit(outs []bytes.Buffer, w io.Writer) error {
	all := junit{Name: "bridgesim"}
	for i := range outs {
		var one junit
		if err := xml.Unmarshal(outs[i].Bytes(), &one); err != nil {
			return fmt.Errorf("joining the JUnit reports: %w", err)
		}
		all.Tests += one.Tests
		all.Skipped += one.Skipped
		all.Failures += one.Failures
		all.Errors += one.Errors
		all.Suites = append(all.Suites, one.Suites...)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
