package sim

import (
	"strings"
	"testing"

	"bridgesim/sim/history"
	"bridgesim/sim/oracle"
)

// TestNobodyIsAccusedWrongly: what strikes behind the outcome, or changes what the site holds,
// leaves no promise broken that the bridge could have kept.
func TestNobodyIsAccusedWrongly(t *testing.T) {
	for _, fault := range []string{
		"kill-pi at detach.close@3#1/after", "panic at detach.close@3#2/after",
		"newer-cache at detach.close@3#2/after", "corrupt-cache at send.revoke@3#1/late",
		"cut-stream at wait.poll@3:streaming#2/after",
		"edit-history at send.submit@1#2/after", "edit-history at capture.record@2#1/after",
		"edit-history at wait.poll@3:streaming#2/after", "edit-history at capture.dom@3#1/before",
		"lose-cache at send.submit@0#2/late", "corrupt-cache at send.submit@0#2/late",
		"relaunch at wait.poll@1:streaming#1/before with for=20m0s",
	} {
		t.Run(fault, func(t *testing.T) {
			if err := played(t, ended(t, fault), nil).Broken(); err != nil {
				t.Error(err)
			}
		})
	}
}

// ended is scripted with the end that it has without a fault.
func ended(t *testing.T, schedule ...string) *Script {
	t.Helper()
	s := scripted(t, schedule...)
	s.End, s.Plans = "done", 2
	return s
}

// TestWhatTheSiteHolds: the world tells of an edited record what stands there now, with its
// reading.
func TestWhatTheSiteHolds(t *testing.T) {
	r := played(t, ended(t, "edit-history at wait.poll@2:streaming#1/before with text=hello"), nil)
	for _, e := range r.World.Log.Events() {
		if e.Lane == history.Site && e.Kind == "edited" {
			if e.Body != "hello" || e.Text != "faults=E_BLOCKS,E_HEADER headless" {
				t.Errorf("the record holds %q, told as %q", e.Body, e.Text)
			}
			return
		}
	}
	t.Error("nothing was told")
}

// TestWhatLeadsBack: the start of a process says whether it finds its session without a journal.
func TestWhatLeadsBack(t *testing.T) {
	const closed = "close-tab at wait.poll@1:streaming#1/before;" +
		"kill-pi at attach.open@1#1/before"
	for fault, want := range map[string]string{
		"kill-pi at send.insert@0#1/before":         oracle.StartUnled, // nothing was said
		"kill-pi at send.submit@0#2/after":          oracle.StartUnled, // no address yet
		"kill-pi at wait.poll@1:streaming#1/before": oracle.StartLed,
		closed: oracle.StartUnled,
	} {
		t.Run(fault, func(t *testing.T) {
			r := played(t, ended(t, strings.Split(fault, ";")...), nil)
			var got []string
			for _, e := range r.World.Log.Events() {
				if e.Kind == "start" {
					got = append(got, e.Text)
				}
			}
			if len(got) != 2 || got[0] != "" || got[1] != want {
				t.Errorf("the starts say %q, want %q for the second", got, want)
			}
		})
	}
}
