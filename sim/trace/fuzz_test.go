package trace_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bridgesim/sim/trace"
)

func FuzzPlaywright(f *testing.F)   { fuzz(f, "T1") }
func FuzzPuppeteer(f *testing.F)    { fuzz(f, "T2") }
func FuzzOldPuppeteer(f *testing.F) { fuzz(f, "T3") }
func FuzzChromedp(f *testing.F)     { fuzz(f, "T4") }
func FuzzRod(f *testing.F)          { fuzz(f, "T5") }
func FuzzChromeDriver(f *testing.F) { fuzz(f, "T6") }
func FuzzJSDebug(f *testing.F)      { fuzz(f, "T7") }
func FuzzMonitor(f *testing.F)      { fuzz(f, "T8") }
func FuzzHAR(f *testing.F)          { fuzz(f, "T9") }
func FuzzNetlog(f *testing.F)       { fuzz(f, "T10") }

// fuzz holds one importer to what holds for every input: a log or an error; lines that exist; no
// more entries, losses and notes than the text can hold; a schedule that can be read back.
func fuzz(f *testing.F, format string) {
	seeds, err := filepath.Glob(filepath.Join("testdata", strings.ToLower(format)+"-*"))
	if err != nil || len(seeds) == 0 {
		f.Fatalf("no seeds of %s: %v", format, err)
	}
	for _, path := range seeds {
		b, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		l, err := trace.Import("fuzz", bytes.NewReader(b), format)
		if (l == nil) == (err == nil) {
			t.Fatalf("log %v with error %v", l, err)
		}
		if l != nil {
			check(t, l, len(b))
		}
	})
}

func check(t *testing.T, l *trace.Log, size int) {
	if len(l.Entries) > size || l.NotUnderstood > size+1 || len(l.Strange) > trace.MaxStrange {
		t.Fatalf("%d bytes became %d entries, %d strange lines", size, len(l.Entries), l.NotUnderstood)
	}
	for _, e := range l.Entries {
		if e.Line < 1 || e.Line > l.Lines || len(e.Text) > 2000 || e.At.Basis == "" {
			t.Fatalf("of %d lines: %+v", l.Lines, e)
		}
	}
	for _, s := range l.Strange {
		if s.Line < 1 || s.Line > l.Lines || s.Want == "" || len(s.Text) > 1000 {
			t.Fatalf("of %d lines: %+v", l.Lines, s)
		}
	}
	for _, n := range l.Losses {
		if n.Reason == "" || n.Confidence == "" || n.Open < len(n.InFlight) {
			t.Fatalf("%+v", n)
		}
	}
	for _, s := range l.Schedule(trace.Guess) {
		if err := s.Fault.Validate(); err != nil {
			t.Fatal(err)
		}
	}
}
