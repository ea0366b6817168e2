package faults_test

import (
	"context"
	"testing"

	"bridgesim/bridge/point"
	"bridgesim/faults"
)

// BenchmarkCall is one command that no fault strikes, with a schedule of two faults elsewhere. It
// must not allocate: this runs some hundred times a run, and a run must stay below 100 µs.
func BenchmarkCall(b *testing.B) {
	var s faults.Schedule
	for _, text := range []string{
		"sever at send.submit@7#1/after",
		"kill-pi at store.append@9#1/after",
	} {
		f, err := faults.ParseFault(text)
		if err != nil {
			b.Fatal(err)
		}
		s = append(s, f)
	}
	i := faults.New(s, &fakeBrowser{}, nil, faults.Ports{})
	ctx := context.Background()
	quiet := &quietBrowser{}
	conn, err := i.Dialer(quiet).Dial(ctx)
	if err != nil {
		b.Fatal(err)
	}
	session, err := conn.Attach(ctx, "tab-1")
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		i.Op(point.SendGuard, 1)
		if err := session.Call(ctx, click, nil, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkNew is what a run pays for its interposer.
func BenchmarkNew(b *testing.B) {
	f, err := faults.ParseFault("sever at send.submit@1#1/after")
	if err != nil {
		b.Fatal(err)
	}
	s, striker := faults.Schedule{f}, &fakeBrowser{}
	b.ReportAllocs()
	for b.Loop() {
		faults.New(s, striker, nil, faults.Ports{})
	}
}
