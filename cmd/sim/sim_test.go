package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"bridgesim/bridge/wire"
)

// TestMain makes the test binary the command itself, so that the scripts run the real program in a
// process of its own.
func TestMain(m *testing.M) {
	// A script waits for its browser most of the time.
	if err := flag.Set("test.parallel", "4"); err != nil {
		panic(err)
	}
	testscript.Main(m, map[string]func(){"sim": main})
}

// TestScript runs testdata/script. Beyond testscript's own commands the scripts may use:
//
//	exits CODE PROGRAM ARG…   the program ends with exactly this code
//	mayexit PROGRAM ARG…      the program ends by itself, with any code
//	oneline stdout|stderr     it is one line
//	serve PROGRAM ARG…        starts it, and sets URL to the first address that it prints
//	get URL                   fetches it; the body becomes stdout
//	signal INT|TERM CODE      ends the served program with this code; stdout and stderr are its
//	big FILE                  writes a file over the limit of a reply
//	occupy NAME               takes a loopback port for the length of the script
//	begun DIR                 makes it a state folder whose session has begun
//	locked DIR                the same, held open for the length of the script
func TestScript(t *testing.T) {
	golden, err := filepath.Abs("../../bridge/wire/testdata")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Values[servedKey{}] = &served{}
			env.Setenv("GOLDEN", golden)
			env.Setenv("HOME", os.Getenv("HOME")) // for the Go tool's own folders
			hello, err := os.ReadFile(filepath.Join(golden, "hello.txt"))
			if err != nil {
				return err
			}
			resync := "# RESYNC pi-bridge/1\n\n" + string(hello)
			return os.WriteFile(filepath.Join(env.WorkDir, "resync"), []byte(resync), 0o600)
		},
		Condition: func(name string) (bool, error) {
			if name != "root" { // for whom no folder is closed
				return false, fmt.Errorf("unknown condition %q", name)
			}
			return os.Geteuid() == 0, nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": cmdExits, "mayexit": cmdMayExit, "oneline": cmdOneLine,
			"serve": cmdServe, "get": cmdGet, "signal": cmdSignal, "occupy": cmdOccupy, "big": cmdBig,
			"begun": cmdBegun, "locked": cmdLocked,
		},
	})
}

func cmdExits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARG…")
	}
	checkCode(ts, args[0], ts.Exec(args[1], args[2:]...))
}

func cmdMayExit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: mayexit PROGRAM ARG…")
	}
	var exit *exec.ExitError
	if err := ts.Exec(args[0], args[1:]...); err != nil && !errors.As(err, &exit) {
		ts.Fatalf("cannot run: %v", err)
	}
}

func checkCode(ts *testscript.TestScript, want string, err error) {
	got := 0
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		got = exit.ExitCode()
	case err != nil:
		ts.Fatalf("cannot run: %v", err)
	}
	if strconv.Itoa(got) != want {
		ts.Fatalf("exit code %d, want %s", got, want)
	}
}

func cmdOneLine(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: oneline stdout|stderr")
	}
	text := ts.ReadFile(args[0])
	if strings.Count(text, "\n") != 1 || !strings.HasSuffix(text, "\n") {
		ts.Fatalf("%s is not one line: %q", args[0], text)
	}
}

// served is the program that a script has in the background.
type served struct {
	cmd    *exec.Cmd
	out    *bufio.Reader
	first  string
	errors strings.Builder
}

// servedKey is where a script keeps it.
type servedKey struct{}

func cmdServe(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: serve PROGRAM ARG…")
	}
	s := ts.Value(servedKey{}).(*served)
	*s = served{cmd: exec.Command(args[0], args[1:]...)}
	s.cmd.Dir, s.cmd.Stderr = ts.MkAbs("."), &s.errors
	pipe, err := s.cmd.StdoutPipe()
	ts.Check(err)
	s.out = bufio.NewReader(pipe)
	ts.Check(s.cmd.Start())
	ts.Defer(func() { _ = s.cmd.Process.Kill() })
	ts.Setenv("URL", s.url(ts))
}

// url reads on until a line has an address; the program prints it when it listens.
func (s *served) url(ts *testscript.TestScript) string {
	for {
		line, err := s.out.ReadString('\n')
		s.first += line
		for word := range strings.FieldsSeq(line) {
			if strings.HasPrefix(word, "http") {
				return word
			}
		}
		if err != nil {
			_ = s.cmd.Wait()
			ts.Fatalf("no address before %v\n%s%s", err, s.first, &s.errors)
		}
	}
}

func cmdSignal(ts *testscript.TestScript, neg bool, args []string) {
	signals := map[string]os.Signal{"INT": os.Interrupt, "TERM": syscall.SIGTERM}
	if neg || len(args) != 2 || signals[args[0]] == nil {
		ts.Fatalf("usage: signal INT|TERM CODE")
	}
	s := ts.Value(servedKey{}).(*served)
	ts.Check(s.cmd.Process.Signal(signals[args[0]]))
	rest, err := io.ReadAll(s.out)
	ts.Check(err)
	checkCode(ts, args[1], s.cmd.Wait())
	fmt.Fprint(ts.Stdout(), s.first+string(rest))
	fmt.Fprint(ts.Stderr(), s.errors.String())
}

func cmdGet(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: [!] get URL")
	}
	answer, err := http.Get(args[0])
	if neg {
		if err == nil {
			ts.Fatalf("%s still answers", args[0])
		}
		return
	}
	ts.Check(err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	ts.Check(err)
	if answer.StatusCode != http.StatusOK {
		ts.Fatalf("%s: %s", args[0], answer.Status)
	}
	_, _ = ts.Stdout().Write(body)
}

func cmdOccupy(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: occupy NAME")
	}
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	ts.Check(err)
	ts.Defer(func() { _ = listener.Close() })
	ts.Setenv(args[0], listener.Addr().String())
}

func cmdBig(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: big FILE")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), make([]byte, wire.MaxInput+1), 0o600))
}
