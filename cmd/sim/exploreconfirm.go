package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"bridgesim/sim"
	"bridgesim/sim/explore"
)

// confirmed plays a sample on another engine as well and compares.
func (f *exploreFlags) confirmed(
	ctx context.Context, o explore.Options, out io.Writer,
) (err error) {
	on, err := sim.EngineNamed(f.confirm)
	if err != nil {
		return usage("use one of virtual, chromium", "unknown engine %q", f.confirm)
	}
	defer func() { err = errors.Join(err, on.Close()) }()
	if err := on.Ready(ctx); err != nil {
		return exploreInput(err)
	}
	each := func(r explore.Confirmed) { tellConfirmed(out, r) }
	if f.format == "json" {
		each = nil
	}
	c, err := explore.Confirm(ctx, o, on, f.sample, each)
	if err != nil {
		return exploreInput(err)
	}
	if f.format == "json" {
		err = printJSON(out, c)
	} else {
		err = c.Print(out)
	}
	switch {
	case err != nil:
		return err
	case c.Differ > 0:
		return failed()
	case c.Same < min(f.sample, c.Of):
		return &ExitError{Code: exitUnknown, Err: fmt.Errorf("%d runs could not be compared",
			c.Unknown)}
	}
	return nil
}

func tellConfirmed(out io.Writer, r explore.Confirmed) {
	word := map[string]string{
		explore.Same: "ok     ", explore.Differ: "DIFFER ", explore.Unclear: "UNKNOWN",
	}[r.Status]
	fmt.Fprintf(out, "%s  %s  %s  %s\n", word, r.Session, printable(r.Name), r.Schedule)
	if r.Status != explore.Same {
		fmt.Fprintf(out, "      model: %s\n      other: %s\n", printable(r.Model), printable(r.Other))
	}
}
