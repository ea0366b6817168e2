package sim_test

import (
	"context"
	"fmt"
	"syscall"
	"testing"
	"time"

	"bridgesim/bridge"
	"bridgesim/bridge/browser/chrome/launch/launchtest"
	"bridgesim/bridge/clock"
	"bridgesim/bridge/page"
	"bridgesim/bridge/page/probe"
	"bridgesim/fakesite"
	"bridgesim/fakesite/web"
	"bridgesim/sim"
	"bridgesim/sim/engine/chromium"
	"bridgesim/sim/history"
)

// threeRounds is a whole session at the measured pace of the site: HELLO, two plans that are
// executed, and a third ROUND that is answered with done.
func threeRounds(seed uint64) *sim.Script {
	return &sim.Script{
		Name: "three rounds", Seed: seed, Timing: "typical",
		Persona: fakesite.Script{Rounds: []fakesite.RoundScript{
			{Round: 1, Moves: []fakesite.Move{{Decision: "continue"}}},
			{Round: 2, Moves: []fakesite.Move{{Decision: "continue"}}},
			{Round: 3, Moves: []fakesite.Move{{Decision: "done"}}},
		}},
	}
}

// session runs the script to its end and says what is wrong with what came out.
func session(e sim.Engine, seed uint64) (*sim.Result, error) {
	r, err := sim.Run(context.Background(), e, threeRounds(seed))
	switch {
	case err != nil:
		return nil, err
	case r.Err != nil:
		return nil, r.Err
	case r.Report.Outcome != bridge.Done || len(r.Received) != 4 || len(r.Executed) != 2:
		return nil, fmt.Errorf("%d messages, %d executions, %s", len(r.Received), len(r.Executed),
			r.Report)
	}
	return r, nil
}

// BenchmarkSession is one whole run: world, bridge, site, agent, ledgers, the history and its hash.
func BenchmarkSession(b *testing.B) {
	b.Run("virtual", func(b *testing.B) { benchmarkSession(b, sim.Virtual()) })
	b.Run("chromium", func(b *testing.B) {
		launchtest.Require(b)
		benchmarkSession(b, sim.Chromium(sim.ChromiumOptions{}))
	})
}

// BenchmarkRunner is a session as explorers play it: by a Runner, that keeps its memory.
func BenchmarkRunner(b *testing.B) {
	for _, pace := range []string{"instant", "typical"} {
		b.Run(pace, func(b *testing.B) { benchmarkRunner(b, pace) })
	}
}

func benchmarkRunner(b *testing.B, pace string) {
	r := sim.NewRunner(sim.Virtual())
	defer r.Close()
	s := threeRounds(1)
	s.Timing = pace
	b.ReportAllocs()
	var last *sim.Result
	for b.Loop() {
		var err error
		if last, err = r.Run(b.Context(), s, nil); err != nil {
			b.Fatal(err)
		}
		last.World.Log.Sum()
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "runs/s")
	b.ReportMetric(float64(last.World.Log.Len()), "events/run")
	b.ReportMetric(float64(calls(last.World.Log)), "CDP-calls/run")
}

func benchmarkSession(b *testing.B, e sim.Engine) {
	defer func() {
		if err := e.Close(); err != nil {
			b.Error(err)
		}
	}()
	if err := e.Ready(b.Context()); err != nil { // the start of a browser is no part of a session
		b.Fatal(err)
	}
	b.ReportAllocs()
	var last *sim.Result
	runs, before := 0, cpu(b)
	for b.Loop() {
		var err error
		if last, err = session(e, uint64(runs)); err != nil {
			b.Fatal(err)
		}
		last.World.Log.Sum()
		runs++
	}
	b.ReportMetric(float64(cpu(b)-before)/float64(runs), "cpu-ns/op")
	b.ReportMetric(float64(runs)/b.Elapsed().Seconds(), "runs/s")
	b.ReportMetric(float64(last.World.Log.Len()), "events/run")
	b.ReportMetric(float64(calls(last.World.Log)), "CDP-calls/run")
}

func calls(log *history.Log) (n int) {
	for _, e := range log.Events() {
		if e.Lane == history.CDP && e.Kind == "call" {
			n++
		}
	}
	return n
}

// cpu is the time that this process has spent on all processors, a browser's not included. Wall
// time says little on a machine that others use as well.
func cpu(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkProbeCall is one poll of an answer on a real page; sim/engine/virtual has the model's.
func BenchmarkProbeCall(b *testing.B) {
	b.Run("chromium", func(b *testing.B) {
		launchtest.Require(b)
		p := answeredPage(b)
		b.ReportAllocs()
		for b.Loop() {
			turn, err := probe.Do(b.Context(), p.Session(), probe.Turn, probe.TurnArgs{MessageID: asked})
			if err != nil || turn.State != probe.AnswerFinished {
				b.Fatalf("%+v %v", turn, err)
			}
		}
	})
}

// asked is the id of the user's message on the page of answeredPage.
const asked = "0a1b2c3d-0000-4000-8000-000000000001"

// answeredPage is a conversation with one finished answer in a real browser.
func answeredPage(b *testing.B) *page.Page {
	c := clock.Wall()
	server, err := web.Start(web.Options{
		Site:  fakesite.New(fakesite.Config{Timing: fakesite.Instant(), Entropy: clock.Seeded(1)}),
		Clock: c,
	})
	check(b, err)
	b.Cleanup(func() { check(b, server.Close()) })
	conversation := ""
	server.Do(func(now time.Time, site *fakesite.Site) {
		talk, _, _ := site.Submit(now, fakesite.Post{MessageID: asked, Text: "hello"})
		conversation = talk.ID
	})
	pool := chromium.NewPool(chromium.Options{})
	b.Cleanup(func() { check(b, pool.Close()) })
	lease, err := pool.Acquire(b.Context())
	check(b, err)
	cfg := page.Config{Clock: c, Entropy: clock.Seeded(2), Site: server.URL()}
	browser, err := lease.Dialer.Dial(b.Context())
	check(b, err)
	b.Cleanup(func() { check(b, browser.Close()) })
	id, err := page.OpenConversation(b.Context(), browser, cfg, conversation)
	check(b, err)
	p, err := page.Attach(b.Context(), browser, id, cfg)
	check(b, err)
	b.Cleanup(func() { check(b, p.Close()) })
	check(b, p.Ready(b.Context()))
	_, err = p.Wait(b.Context(), asked, time.Minute)
	check(b, err)
	return p
}

func check(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}
