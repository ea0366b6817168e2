package replay

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"bridgesim/faults"
	"bridgesim/sim/history"
	"bridgesim/sim/redact"
)

// Scenario is what a recording was made of, so that it can be written as a feature again.
type Scenario struct {
	Name  string `json:"name"`
	URI   string `json:"uri,omitempty"`
	Line  int    `json:"line,omitempty"`
	Seed  uint64 `json:"seed,string"`
	Scale string `json:"scale,omitempty"` // how fast the world's clock ran, when it was not virtual
	// Given are the steps that build the session, without those of its schedule.
	Given    []string        `json:"given"`
	Schedule faults.Schedule `json:"schedule"`
}

// Keep makes what is kept of a finished run: the scenario in front, secrets taken out, and texts
// only when they are wanted. It returns how many secrets there were.
func Keep(log *history.Log, s *Scenario, what history.Recording) (*history.Log, int) {
	h := log.Header()
	h.Recording = what
	h.Scenario, _ = redact.Text(h.Scenario)
	h.Schedule, _ = redact.Text(h.Schedule)
	out := history.New(h)
	out.KeepBodies = what != history.DigestsOnly
	found := 0
	if s != nil {
		out.Append(cleaned(history.Event{
			Lane: history.Port, Kind: kindScenario, Key: s.Name, Body: encode(s),
		}, &found))
	}
	kept := make([]history.Event, 0, len(log.Events()))
	moved := map[history.Digest]history.Digest{} // of texts that had secrets
	for _, e := range log.Events() {
		if what == history.DigestsOnly && e.Lane == history.Port {
			continue // of no use without its texts
		}
		c := cleaned(e, &found)
		if c.Body != e.Body {
			moved[e.Digest] = history.DigestOf(c.Body)
		}
		kept = append(kept, c)
	}
	for _, e := range kept {
		if to, ok := moved[e.Digest]; ok { // also where an intent names the text without holding it
			e.Digest = to
		}
		out.Append(e)
	}
	return out, found
}

// cleaned is clean that counts.
func cleaned(e history.Event, found *int) history.Event {
	c := clean(e)
	if c.Key != e.Key || c.Text != e.Text || c.Body != e.Body {
		*found++
	}
	return c
}

// ScenarioOf reads what a recording was made of. ok is false when it does not say.
func ScenarioOf(log *history.Log) (s Scenario, ok bool, err error) {
	for _, e := range log.Events() {
		if e.Lane == history.Port && e.Kind == kindScenario && e.Body != "" {
			if err := json.Unmarshal([]byte(e.Body), &s); err != nil {
				return s, false, fmt.Errorf("%w: event %d: the scenario: %w", ErrRecording, e.Seq, err)
			}
			if err := s.Schedule.Validate(); err != nil {
				return s, false, fmt.Errorf("%w: event %d: %w", ErrRecording, e.Seq, err)
			}
			return s, true, nil
		}
	}
	return s, false, nil
}

// ScheduleOf reads the faults of a history, as its scenario or else its header has them.
func ScheduleOf(log *history.Log) (faults.Schedule, error) {
	s, ok, err := ScenarioOf(log)
	if err != nil || ok {
		return s.Schedule, err
	}
	return parseSchedule(log.Header().Schedule)
}

// parseSchedule reads what faults.Schedule.String prints. A text in quotes may hold a separator, so
// a part that cannot be read takes the next one to it.
func parseSchedule(text string) (plan faults.Schedule, err error) {
	if text == "" {
		return nil, nil
	}
	const separator = "; "
	for rest, part := text, ""; ; {
		end := indexFrom(rest, separator, len(part))
		part = rest[:end]
		f, ferr := faults.ParseFault(part)
		switch {
		case ferr == nil:
			plan = append(plan, f)
			if end == len(rest) {
				return plan, plan.Validate()
			}
			rest, part = rest[end+len(separator):], ""
		case end == len(rest):
			return nil, fmt.Errorf("%w: the schedule in its header: %w", ErrRecording, ferr)
		default:
			part = rest[:end+len(separator)]
		}
	}
}

// indexFrom is where sep stands in s from a place on, or the end of s.
func indexFrom(s, sep string, from int) int {
	for i := from; i+len(sep) <= len(s); i++ {
		if s[i:i+len(sep)] == sep {
			return i
		}
	}
	return len(s)
}

// disconnecting are the families of faults that end a connection or what is at its end.
var disconnecting = []faults.Family{faults.Transport, faults.Target, faults.Browsers}

// Disconnects are the faults of a schedule that end a connection or what is at its end, and the
// others.
func Disconnects(plan faults.Schedule) (kept, left faults.Schedule) {
	for _, f := range plan {
		if info, ok := faults.Of(f.Kind); ok && slices.Contains(disconnecting, info.Family) {
			kept = append(kept, f)
		} else {
			left = append(left, f)
		}
	}
	return kept, left
}

// ErrChanged is what Check returns for a recording that does not play back.
var ErrChanged = errors.New("the recording does not play back")

// Check plays a recording that was just made. A run that depends on a secret, because its hash is
// in a message, does not play back without it.
func Check(log *history.Log) error {
	res, err := Replay(log)
	switch {
	case err != nil:
		return err
	case res.Divergence != nil:
		return fmt.Errorf("%w: event %d: %s", ErrChanged, res.Divergence.Recorded.Seq,
			res.Divergence.Why)
	case res.Log.Sum() != log.Sum():
		return fmt.Errorf("%w: the history of the replay is another", ErrChanged)
	}
	return nil
}
