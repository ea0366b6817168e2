package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"bridgesim/bridge/point"
	"bridgesim/faults"
	"bridgesim/sim"
	"bridgesim/sim/history"
	"bridgesim/sim/oracle"
	"bridgesim/sim/replay"
)

// replayFlags are the flags of sim replay.
type replayFlags struct {
	out          string
	json         bool
	scheduleOnly bool
	emitFeature  bool
	engine       string
}

func newReplayCommand() *cobra.Command {
	f := &replayFlags{}
	cmd := &cobra.Command{
		Use:   "replay RECORDING",
		Short: "Play a recording back: the same bridge does the same again, or shows where it does not",
		Long: `Give the bridge of this program what it was given in a recording ("sim record"): the same
answers of browser, store and agent, the same times, the same chance. Nothing of a machine is
needed, and time is virtual. What the bridge asks and says is compared with the recording, event by
event; the first one that differs ends the replay, and both sides are shown. A recording is played
twice, and the two histories must be equal to the byte.

With --schedule-only only the disconnects of the recording are taken: its session, or a plain one
when it does not hold any, runs on a live engine and they strike again. This works for digests, for
any history, and for a schedule that "sim import" wrote. With --emit-feature the scenario is
printed as a feature.

Exit codes: 0 it played back and every promise was kept, 1 it diverged, a promise was broken, or the
scenario failed, 2 the file cannot be replayed, 3 no browser, 4 a promise cannot be judged.`,
		Example: "  sim replay run.ndjson.gz\n" +
			"  sim replay real.ndjson --schedule-only --engine chromium\n" +
			"  sim replay real.ndjson --emit-feature > recorded.feature",
		Args: arguments("RECORDING"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), args[0], cmd)
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&f.out, "out", "", "write the history of the replay; the file must not exist")
	fl.BoolVar(&f.json, "json", false, "print JSON")
	fl.BoolVar(&f.scheduleOnly, "schedule-only", false,
		"let only the disconnects strike again, on a live engine")
	fl.StringVar(&f.engine, "engine", "virtual", "the engine for --schedule-only")
	fl.BoolVar(&f.emitFeature, "emit-feature", false, "print the scenario as a feature")
	// fails on a typo only
	_ = cmd.RegisterFlagCompletionFunc("engine", fixed(sim.EngineNames()...))
	return cmd
}

func (f *replayFlags) run(ctx context.Context, name string, cmd *cobra.Command) error {
	out, errs := cmd.OutOrStdout(), cmd.ErrOrStderr()
	if !f.scheduleOnly && !f.emitFeature {
		log, err := readHistory(ctx, cmd.InOrStdin(), name)
		if err != nil {
			return err
		}
		return f.play(name, log, out)
	}
	s, then, err := f.scheduled(ctx, name, cmd.InOrStdin())
	if err != nil {
		return err
	}
	if f.emitFeature && !f.scheduleOnly {
		_, err := io.WriteString(out, replay.Feature(s, s.Schedule, then))
		return err
	}
	kept, left := replay.Disconnects(s.Schedule)
	for _, l := range left {
		say(errs, "left out, it is no disconnect: %s", l)
	}
	if len(kept) == 0 {
		return usage("replay it whole", "%s holds no disconnect", name)
	}
	text := replay.Feature(s, kept, []string{"every fault struck"})
	if f.emitFeature {
		_, err := io.WriteString(out, text)
		return err
	}
	return f.strike(ctx, text, s.Seed, out, errs)
}

// strike runs a feature on a live engine.
func (f *replayFlags) strike(
	ctx context.Context, text string, seed uint64, out, errs io.Writer,
) (err error) {
	dir, err := os.MkdirTemp("", "bridgesim-replay-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	path := filepath.Join(dir, "recorded.feature")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return err
	}
	run := runFlags{engine: f.engine, seed: seed, jobs: 1}
	return run.run(ctx, []string{path}, out, errs)
}

// scheduled reads what a file says was run: a recording, any history, or a schedule in JSON.
func (f *replayFlags) scheduled(
	ctx context.Context, name string, in io.Reader,
) (s replay.Scenario, then []string, err error) {
	then = []string{"every fault struck"}
	if plan, ok, err := scheduleIn(name); ok || err != nil {
		return replay.Scenario{Seed: 1, Schedule: plan}, then, err
	}
	log, err := readHistory(ctx, in, name)
	if err != nil {
		return s, nil, err
	}
	s, ok, err := replay.ScenarioOf(log)
	if err == nil && !ok {
		s = replay.Scenario{Name: log.Header().Scenario, Seed: log.Header().Seed}
		s.Schedule, err = replay.ScheduleOf(log)
	}
	if err != nil {
		return s, nil, usage("record the run again", "%s: %w", name, err)
	}
	if ok {
		then = append(endOf(log), then...)
	}
	return s, then, nil
}

// maxScheduleFile bounds a schedule in JSON.
const maxScheduleFile = 4 << 20

// scheduleIn reads a file that is a schedule; ok is false for any other file.
func scheduleIn(name string) (plan faults.Schedule, ok bool, err error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, false, nil // whoever reads the history says so
	}
	defer file.Close()
	head := make([]byte, 1)
	if _, err := file.Read(head); err != nil || head[0] != '[' {
		return nil, false, nil
	}
	text, err := io.ReadAll(io.LimitReader(file, maxScheduleFile))
	if err != nil {
		return nil, false, err
	}
	plan, err = faults.ParseSchedule(append(head, text...))
	if err != nil {
		return nil, false, usage("mend the schedule", "%s: %w", name, err)
	}
	return plan, true, nil
}

// endOf are the steps that say how a recorded run ended.
func endOf(log *history.Log) (then []string) {
	events := log.Events()
	for i := len(events) - 1; i >= 0; i-- {
		if e := &events[i]; e.Lane == history.World && e.Kind == "end" && e.Key != "" &&
			e.Key != oracle.RefusedToBegin {
			then = append(then, fmt.Sprintf("the session ends as %q", e.Key))
			break
		}
	}
	for _, row := range rowsOf(events) {
		then = append(then, fmt.Sprintf("the bridge recovered by row %s", row))
	}
	return then
}

// rowsOf are the rows that verdicts took, each once.
func rowsOf(events []history.Event) (rows []string) {
	for i := range events {
		e := &events[i]
		if e.Lane == history.Bridge && e.Kind == string(point.NoteVerdict) && e.Key != "0" &&
			!slices.Contains(rows, e.Key) {
			rows = append(rows, e.Key)
		}
	}
	return rows
}

func (f *replayFlags) play(name string, log *history.Log, out io.Writer) error {
	res, err := twice(log)
	switch {
	case errors.Is(err, replay.ErrNotReplayable):
		return usage(`"sim record" makes one that can; "--schedule-only" uses its faults`, "%s: %w",
			name, err)
	case errors.Is(err, replay.ErrRecording):
		return usage("record the run again", "%s: %w", name, err)
	case err != nil:
		return err
	}
	if f.out != "" {
		if err := writeHistory(f.out, res.Log); err != nil {
			return err
		}
	}
	r := replayed{name: name, log: log, res: res}
	if f.json {
		err = printJSON(out, r.forTools())
	} else {
		err = r.print(out)
	}
	if err == nil && res.Divergence != nil {
		return failed()
	}
	j := judgement{res.Log, res.Findings}
	return errors.Join(err, j.verdict())
}

// twice plays a recording two times; the two histories are equal, or the replay is worth nothing.
func twice(log *history.Log) (*replay.Replayed, error) {
	var sums [2][]byte
	var last *replay.Replayed
	for i := range sums {
		res, err := replay.Replay(log)
		if err != nil {
			return nil, err
		}
		var b bytes.Buffer
		if err := res.Log.WriteNDJSON(&b); err != nil {
			return nil, err
		}
		sums[i], last = b.Bytes(), res
	}
	if !bytes.Equal(sums[0], sums[1]) {
		return nil, errors.New("two replays of one recording differ: the bridge is not deterministic")
	}
	return last, nil
}

// replayed is what a replay came to, for a person.
type replayed struct {
	name string
	log  *history.Log
	res  *replay.Replayed
}

func (r *replayed) print(out io.Writer) error {
	p := report{w: out, paint: paintFor(out)}
	h := r.log.Header()
	p.line("%s: %s on %s, seed %d, %d events", printable(r.name), printable(orNone(h.Scenario)),
		printable(h.Engine), h.Seed, r.log.Len())
	if d := r.res.Divergence; d != nil {
		r.diverged(&p, d)
		return p.err
	}
	p.line("played back twice, equal to the byte: %d processes, %d questions", r.res.Lives,
		r.res.Asked)
	p.line("rows %v, ended as %q, recorded and now", r.res.Rows, r.outcome())
	word := "the history is the recorded one"
	if r.res.Log.Sum() != r.log.Sum() {
		word = "the history is another: recorded " + r.log.Sum()
	}
	p.line("%s: %s", word, r.res.Log.Sum())
	return judged(&p, r.res.Log)
}

// diverged shows both sides of the first difference.
func (r *replayed) diverged(p *report, d *replay.Divergence) {
	p.line("%s at event %d of %d, after %d questions", p.paint.bad("diverged"), seqOr(d.Recorded.Seq,
		r.log.Len()), r.log.Len(), r.res.Asked)
	p.line("  %s", printable(d.Why))
	for _, e := range d.Before {
		p.line("    before    %s", printable(e.String()))
	}
	p.line("    recorded  %s", eventOr(d.Recorded, "nothing: the recording has ended"))
	p.line("    now       %s", eventOr(d.Made, "nothing: the bridge has ended"))
	if d.Panic != "" {
		p.line("%s", d.Panic)
	}
}

func seqOr(seq, last int) int {
	if seq == 0 {
		return last
	}
	return seq
}

func eventOr(e history.Event, none string) string {
	if e == (history.Event{}) {
		return none
	}
	if e.Seq == 0 { // it was made now, and has no number
		return printable(fmt.Sprintf("%s %s %s@%d %q %q", e.Lane, e.Kind, e.Op, e.Round, e.Key, e.Text))
	}
	return printable(e.String())
}

func (r *replayed) outcome() string {
	if r.res.Outcome == "" {
		return oracle.RefusedToBegin
	}
	return string(r.res.Outcome)
}

// replayedForTools is the same in JSON.
type replayedForTools struct {
	Scenario   string         `json:"scenario"`
	Engine     string         `json:"engine"`
	Seed       uint64         `json:"seed,string"`
	Events     int            `json:"events"`
	Asked      int            `json:"asked"`
	Processes  int            `json:"processes"`
	Rows       []int          `json:"rows"`
	End        string         `json:"end"`
	Sum        string         `json:"sum"`
	Same       bool           `json:"same"` // the history is the recorded one
	Verdict    oracle.Status  `json:"verdict,omitempty"`
	Divergence *divergedTools `json:"divergence,omitempty"`
}

type divergedTools struct {
	Event    int    `json:"event"`
	Why      string `json:"why"`
	Recorded string `json:"recorded"`
	Made     string `json:"made"`
}

func (r *replayed) forTools() replayedForTools {
	h := r.log.Header()
	out := replayedForTools{
		Scenario: h.Scenario, Engine: h.Engine, Seed: h.Seed, Events: r.log.Len(), Asked: r.res.Asked,
		Processes: r.res.Lives, Rows: append([]int{}, r.res.Rows...), End: r.outcome(),
		Sum: r.res.Log.Sum(), Same: r.res.Log.Sum() == r.log.Sum(),
	}
	if d := r.res.Divergence; d != nil {
		out.Divergence = &divergedTools{
			Event: seqOr(d.Recorded.Seq, r.log.Len()), Why: d.Why,
			Recorded: eventOr(d.Recorded, ""), Made: eventOr(d.Made, ""),
		}
		return out
	}
	out.Verdict = oracle.Overall(r.res.Findings)
	return out
}
