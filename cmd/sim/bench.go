package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"bridgesim/sim"
	"bridgesim/sim/speed"
)

// benchFlags are the flags of sim bench.
type benchFlags struct {
	turns  int
	runs   int
	rounds int
	heap   int
}

func newBenchCommand() *cobra.Command {
	f := benchFlags{}
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure what runs on the virtual engine cost on this machine",
		Long: `Play complete sessions on one core, with all oracles and the hash of their histories, and
print their time and memory. Each is timed in turn with an empty engine that makes as many events
and nothing else; times are medians of the turns, and "share" is the part of the empty engine's
rate that complete runs reach. Times depend on the machine and on who else uses it; the share and
the counts hardly do.`,
		Example: "  sim bench\n  sim bench --heap 1000000",
		Args:    arguments(),
		RunE:    func(cmd *cobra.Command, _ []string) error { return f.run(cmd.OutOrStdout()) },
	}
	fl := cmd.Flags()
	fl.IntVar(&f.turns, "turns", 15, "turns of each measurement")
	fl.IntVar(&f.runs, "runs", 100, "runs in a turn")
	fl.IntVar(&f.rounds, "rounds", 64, "rounds of the longest session on the curve")
	fl.IntVar(&f.heap, "heap", 0,
		"runs after which the heap is compared with that after a tenth; 0 is none")
	return cmd
}

func (f *benchFlags) run(out io.Writer) error {
	if f.turns < 1 || f.runs < 1 || f.rounds < 1 || f.heap < 0 {
		return usage("use 1 or more", "there is nothing to measure")
	}
	for _, part := range []func(io.Writer) error{f.sessions, f.curve, f.growth} {
		if err := part(out); err != nil {
			return err
		}
	}
	return nil
}

// sessions prints one line for each kind of session.
func (f *benchFlags) sessions(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "three rounds\tcalls\tevents\tallocations\tbytes\ttime\truns/s\tempty\tshare\t")
	struck, err := speed.Struck()
	if err != nil {
		return err
	}
	for _, s := range []struct {
		name    string
		scripts []*sim.Script
	}{
		{"calm", []*sim.Script{speed.Rounds(3)}},
		{"polled", []*sim.Script{speed.Polled(3)}},
		{"one fault", struck},
	} {
		if err := f.session(w, s.name, s.scripts); err != nil {
			return err
		}
	}
	return w.Flush()
}

func (f *benchFlags) session(out io.Writer, name string, scripts []*sim.Script) error {
	p, c, err := speed.NewPlayer(scripts...)
	if err != nil {
		return err
	}
	defer p.Close()
	m, err := speed.Allocated(p, f.runs)
	if err != nil {
		return err
	}
	r, err := speed.Compare(p, c, f.turns, f.runs)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s\t%.0f\t%.0f\t%.0f\t%.0f\t%v\t%.0f\t%v\t%.3f\t\n", name, c.Calls, c.Events,
		m.Allocs, m.Bytes, r.Run, r.Rate(), r.Empty, r.Share())
	return nil
}

// curve prints the time of an event over the length of the session.
func (f *benchFlags) curve(out io.Writer) error {
	points, err := speed.Curve(f.rounds, f.turns)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\nrounds\tevents\ttime\tan event\t")
	for _, p := range points {
		fmt.Fprintf(w, "%d\t%.0f\t%v\t%v\t\n", p.Rounds, p.Events, p.Run, p.PerEvent())
	}
	return w.Flush()
}

// growth prints the heap in use after a tenth of the runs and after all.
func (f *benchFlags) growth(out io.Writer) error {
	if f.heap < 10 {
		return nil
	}
	g, err := speed.Grown(f.heap/10, f.heap)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "\nheap in use: %d kB after %d runs, %d kB after %d: %.2f times\n",
		g.AfterFew>>10, g.Few, g.AfterMany>>10, g.Many, g.Factor())
	return nil
}
