package coverage

import (
	"bytes"
	"fmt"
	"io"
	"text/tabwriter"
)

// Print writes the tables for a person: each item with its number of scenarios per engine, what the
// fault table leaves open, and the holes.
func (c *Coverage) Print(w io.Writer) error {
	var b bytes.Buffer
	columns := c.Engines
	if len(columns) == 0 {
		columns = []string{Planned}
	}
	for i := range c.Tables {
		c.Tables[i].print(&b, columns)
	}
	fmt.Fprintf(&b, "cells of the fault table (kind, phase, round 0 or later): %d complete, %d "+
		"stop, %d either\n",
		c.Duties.Complete, c.Duties.Stop, c.Duties.Either)
	for _, s := range c.Strangers {
		fmt.Fprintf(&b, "HOLE  %s names nothing that there is\n", s)
	}
	for _, h := range c.Holes {
		fmt.Fprintf(&b, "HOLE  %s\n", h)
	}
	fmt.Fprintf(&b, "%d holes\n", len(c.Holes)+len(c.Strangers))
	_, err := w.Write(b.Bytes())
	return err
}

func (t *Table) print(b *bytes.Buffer, columns []string) {
	fmt.Fprintf(b, "%s (%s)\n", t.Name, t.sum(columns))
	tw := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0) // a buffer never fails
	for i := range t.Items {
		item := &t.Items[i]
		fmt.Fprintf(tw, "  %s", item.ID)
		for _, e := range columns {
			fmt.Fprintf(tw, "\t%s %s", item.count(e), e)
		}
		fmt.Fprintf(tw, "\t%s\n", item.What)
		if item.Excuse != "" {
			fmt.Fprintf(tw, "\t\t  no scenario: %s\n", item.Excuse)
		}
	}
	_ = tw.Flush() // same
	b.WriteByte('\n')
}

// sum is "15 of 15 virtual, 14 of 15 chromium", and how many are excused.
func (t *Table) sum(columns []string) string {
	var b bytes.Buffer
	excused := 0
	for i := range t.Items {
		if t.Items[i].Excuse != "" {
			excused++
		}
	}
	for n, e := range columns {
		covered := 0
		for i := range t.Items {
			if len(t.Items[i].By[e]) > 0 {
				covered++
			}
		}
		if n > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%d of %d %s", covered, len(t.Items)-excused, e)
	}
	if excused > 0 {
		fmt.Fprintf(&b, "; %d are no scenario of a bridge", excused)
	}
	return b.String()
}

func (i *Item) count(engine string) string {
	switch n := len(i.By[engine]); {
	case n > 0:
		return fmt.Sprint(n)
	case i.Excuse != "":
		return "-"
	case impossible(i.ID, engine):
		return "n/a"
	}
	return "0"
}
