package main

import (
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	. "github.com/onsi/gomega"

	"bridgesim/bridge"
	"bridgesim/bridge/agent/command"
	"bridgesim/bridge/clock"
	"bridgesim/bridge/point"
	"bridgesim/bridge/session"
	"bridgesim/bridge/wire"
)

// begin writes the first record of a session.
func begin(ts *testscript.TestScript, dir string) *session.FileStore {
	store, err := session.OpenFolder(ts.MkAbs(dir))
	ts.Check(err)
	o := wire.NewOffer("9f83a7c1d42e650b", "x", wire.DefaultObjective, wire.DefaultCapabilities(), nil)
	ts.Check(store.Append(session.Record{
		Kind: session.RecNew, At: clock.Wall().Now().UTC(), SID: o.SID, Request: "x", QID: o.QID,
		HV: o.HV, CV: o.CV, Contract: o.Contract, Cap: o.Cap,
	}))
	return store
}

func cmdBegun(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: begun DIR")
	}
	ts.Check(begin(ts, args[0]).Close())
}

func cmdLocked(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: locked DIR")
	}
	store := begin(ts, args[0])
	ts.Defer(func() { _ = store.Close() }) // the script is over
}

// TestEveryOutcomeHasACode: an outcome that the table forgets would look like an unknown one.
func TestEveryOutcomeHasACode(t *testing.T) {
	g := NewWithT(t)
	want := map[bridge.Outcome]int{
		bridge.Done: 0, bridge.Blocked: 1, bridge.ProtocolViolation: 1, bridge.HandshakeRefused: 1,
		bridge.Manual: 4, bridge.BlockerShown: 4, bridge.Boundary: 4, bridge.Interrupted: 4,
		bridge.Lost:   4,
		bridge.Thrown: 4,
	}
	got := map[bridge.Outcome]int{}
	for _, x := range outcomes {
		got[x.outcome] = exitOf(x.outcome)
		g.Expect(outcomeHelp()).To(ContainSubstring(x.meaning))
	}
	g.Expect(got).To(Equal(want))
	g.Expect(exitOf("something new")).To(Equal(exitUnknown))
}

// TestAgainRepeatsTheCall: the command that a report prints gives the same flags, word for word.
func TestAgainRepeatsTheCall(t *testing.T) {
	g := NewWithT(t)
	cmd := newBridgeCommand()
	f := &bridgeFlags{me: "/my tools/sim"}
	args := []string{
		"--cdp", "http://127.0.0.1:9222", "--site", "https://chatgpt.com", "--state", "it's mine",
		"--agent", `sim agent --ledger "/a b"`, "--denials", "net,gui", "--per-round", "5m0s",
	}
	g.Expect(cmd.ParseFlags(slices.Concat(args, []string{"--step-fd", "7"}))).To(Succeed())
	words, err := command.Words(f.command(cmd))
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(words[:2]).To(Equal([]string{"/my tools/sim", "bridge"}))
	again := newBridgeCommand()
	g.Expect(again.ParseFlags(words[2:])).To(Succeed())
	for i := 0; i < len(args); i += 2 {
		name := strings.TrimPrefix(args[i], "--")
		g.Expect(again.Flag(name).Value.String()).To(Equal(args[i+1]), name)
	}
	g.Expect(again.Flag("resume").Value.String()).To(Equal("true"))
	g.Expect(again.Flag("step-fd").Value.String()).To(Equal("0"))
}

// TestProgressLines: every edge that has words is an edge of the machine, and what a person reads
// is a sentence and no key.
func TestProgressLines(t *testing.T) {
	g := NewWithT(t)
	var names []string
	for _, e := range session.Edges() {
		names = append(names, e.Name)
	}
	for key := range edgeWords {
		g.Expect(names).To(ContainElement(key))
	}
	for _, c := range []struct {
		note point.Note
		want string
	}{
		{
			point.Note{Kind: point.NoteEdge, Round: 2, Key: "plan-to-executing"},
			"round 2: the agent gets the plan",
		},
		{point.Note{Kind: point.NoteEdge, Key: "new-to-hello-sent"}, ""},
		{point.Note{Kind: point.NoteSend, Key: "unknown", Text: "HELLO"}, ""},
		{point.Note{Kind: point.NoteSend, Key: "sent", Text: "HELLO"}, "HELLO is sent"},
		{
			point.Note{Kind: point.NoteSend, Round: 1, Key: "not-sent", Text: "ROUND"},
			"round 1: ROUND did not go out, and cannot any more",
		},
		{
			point.Note{Kind: point.NotePlan, Round: 1, Key: "-", Text: "E_PARSE"},
			"round 1: the reply is no valid plan: E_PARSE",
		},
		{
			point.Note{Kind: point.NoteVerdict, Round: 1, Key: "3", Text: "look; failure dropped"},
			"round 1: trouble, row 3 of the decision table: look",
		},
		{point.Note{Kind: point.NoteOutcome, Key: "done"}, ""},
	} {
		g.Expect(progressLine(c.note)).To(Equal(c.want))
	}
}

// TestSteps: the tracer hears the address before the act, in the form of schedules, each occurrence
// with its number, and the run is interrupted when it goes away.
func TestSteps(t *testing.T) {
	g := NewWithT(t)
	ours, theirs := pair(t)
	stopped := false
	w := &watcher{
		step: theirs, seen: map[point.Address]int{}, clock: clock.Wall(),
		stop: func() { stopped = true },
	}
	heard := make(chan string)
	go func() {
		defer close(heard)
		b := make([]byte, 256)
		for range 4 {
			n, err := ours.Read(b)
			if err != nil {
				return
			}
			heard <- string(b[:n])
			if _, err := ours.Write([]byte{1}); err != nil {
				return
			}
		}
		_ = ours.Close() // the tracer goes away
	}()
	done := make(chan struct{})
	go func() {
		defer close(done)
		w.Op(point.SendProve, 2)
		w.Op(point.StoreAppend, 2)
		_ = w.write(&session.Record{Kind: session.RecIntent, Message: wire.KindRound},
			func() error { return nil })
		w.Op(point.SendProve, 2)
		w.Op(point.SendProve, 2)
	}()
	var lines []string
	for line := range heard {
		lines = append(lines, line)
	}
	<-done
	g.Expect(lines).To(Equal([]string{
		"send.prove@2#1/before\n", "store.append@2:intent#1/before ROUND\n",
		"store.append@2:intent#1/after ROUND\n", "send.prove@2#2/before\n",
	}))
	g.Expect(stopped).To(BeTrue())
	g.Expect(w.step).To(BeNil())
}

// pair is a descriptor as --step-fd gets one, and its other end.
func pair(t *testing.T) (ours, theirs *os.File) {
	t.Helper()
	fds, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	ours, theirs = os.NewFile(uintptr(fds[0]), "ours"), os.NewFile(uintptr(fds[1]), "theirs")
	t.Cleanup(func() {
		_ = ours.Close() // the test closes it as well
		_ = theirs.Close()
	})
	return ours, theirs
}
