package sim_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"bridgesim/faults"
	"bridgesim/sim"
)

// stricken are schedules with different ends: nothing, a loss, a kill, a lost journal, a panic.
func stricken(t *testing.T) []faults.Schedule {
	t.Helper()
	var out []faults.Schedule
	for _, texts := range [][]string{
		{},
		{"sever at send.submit@1#2/after"},
		{"kill-pi at agent.start@1#1/after", "agent-mute at agent.lookup@1#1/before"},
		{"kill-pi at wait.poll@2:streaming#1/before", "lose-cache at attach.connect@2#1/before"},
		{
			"stale-cache at store.append@1:checkpoint#1/after with back=3",
			"crash-tab at wait.poll@2#1/after",
		},
		{"cdp-error at capture.record@1#1/before with code=-32601"},
	} {
		var s faults.Schedule
		for _, text := range texts {
			f, err := faults.ParseFault(text)
			if err != nil {
				t.Fatal(err)
			}
			s = append(s, f)
		}
		out = append(out, s)
	}
	return out
}

// TestARunnerForgets: whatever a runner played before, a run is the same as a fresh one.
func TestARunnerForgets(t *testing.T) {
	scripts := stricken(t)
	kept := sim.NewRunner(sim.Virtual())
	defer kept.Close()
	for round := range 3 {
		for i := range scripts {
			i = (i*(round+1) + round) % len(scripts) // another order each time
			s := threeRounds(uint64(i))
			s.Schedule = scripts[i]
			r, err := sim.Run(context.Background(), sim.Virtual(), s)
			if err == nil && len(r.Unreached) > 0 {
				t.Fatalf("schedule %d does not strike: %v", i, r.Unreached)
			}
			fresh := summary(r, err)
			if got := summary(kept.Run(context.Background(), s, nil)); got != fresh {
				t.Errorf("schedule %d, round %d:\nkept  %s\nfresh %s", i, round, got, fresh)
			}
		}
	}
}

func summary(r *sim.Result, err error) string {
	return fmt.Sprintln(err, r.Err, r.Report, r.Rows, r.Edges, r.State, r.Unreached, len(r.Received),
		len(r.Executed), len(r.Records), r.Broken(), r.World.Log.Len(), r.World.Log.Sum())
}

// TestRunnersShareNothing: workers side by side give what one gives alone. Under -race it also
// shows that they share no memory that changes.
func TestRunnersShareNothing(t *testing.T) {
	scripts := stricken(t)
	alone := played(scripts, 1)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if got := played(scripts, 3); got != alone {
				t.Errorf("alone\n%s\nside by side\n%s", alone, got)
			}
		})
	}
	wg.Wait()
}

// played plays all schedules some times, and tells how they were the last time.
func played(scripts []faults.Schedule, times int) (all string) {
	r := sim.NewRunner(sim.Virtual())
	defer r.Close()
	for range times {
		all = ""
		for i := range scripts {
			s := threeRounds(uint64(i))
			s.Schedule = scripts[i]
			all += summary(r.Run(context.Background(), s, nil))
		}
	}
	return all
}
