package command_test

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"go.uber.org/goleak"

	"bridgesim/bridge/agent"
	"bridgesim/bridge/agent/command"
	"bridgesim/bridge/agent/command/ledger"
	"bridgesim/bridge/clock"
	"bridgesim/bridge/wire"
)

// asAgent in front of its arguments makes the test binary an agent program.
const asAgent = "as-agent"

func TestMain(m *testing.M) {
	if len(os.Args) > 3 && os.Args[1] == asAgent {
		os.Exit(program(os.Args[2], os.Args[3], os.Args[4:]))
	}
	// A program under the race detector lingers for a second when it ends; these are started often.
	if err := os.Setenv("GORACE", os.Getenv("GORACE")+" atexit_sleep_ms=0"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

func TestCommand(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Command agent")
}

var leaks goleak.Option

var _ = BeforeSuite(func() { leaks = goleak.IgnoreCurrent() })

// Every program that a spec started has ended by then, so nobody waits for it any more.
var _ = AfterSuite(func() { Expect(goleak.Find(leaks)).To(Succeed()) })

// program is an agent that behaves as conduct says; args are those that the bridge adds.
func program(conduct, dir string, args []string) int {
	if len(args) > 0 && args[0] == "lookup" {
		return answer(conduct, dir, args[1:])
	}
	switch conduct {
	case "refuses":
		fmt.Fprintln(os.Stderr, "I will not")
		return 7
	case "sleeps":
		return linger()
	}
	return work(conduct, dir)
}

// answer is one lookup.
func answer(conduct, dir string, args []string) int {
	switch conduct {
	case "garbage":
		fmt.Println("perhaps")
	case "binary":
		fmt.Print("settled\n\xff\xfe")
	case "chatty":
		fmt.Println("never\nmind")
	case "silent":
	case "huge":
		fmt.Println("settled")
		for line := strings.Repeat("x", 1<<16) + "\n"; ; {
			if _, err := os.Stdout.WriteString(line); err != nil {
				return linger() // whoever is not read any more may also not end
			}
		}
	case "fails":
		fmt.Println("never")
		fmt.Fprintln(os.Stderr, "the disk is on fire")
		return 3
	case "hangs":
		fmt.Println("never")
		return linger()
	default:
		return lookup(dir, args)
	}
	return 0
}

// linger stays until it is killed, deaf to everything else.
func linger() int {
	signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGPIPE)
	_ = clock.Wall().Sleep(context.Background(), time.Hour)
	return 0
}

func lookup(dir string, args []string) int {
	l, err := ledger.Open(dir)
	if err != nil {
		return complain(err)
	}
	t, err := command.Named(args[0], args[1], args[2])
	if err != nil {
		return complain(err)
	}
	st, err := l.Lookup(t)
	if err != nil {
		return complain(err)
	}
	fmt.Print(command.AnswerText(st))
	return 0
}

// work executes until the file "go" is there; a conduct "dies" then leaves no receipt.
func work(conduct, dir string) int {
	t, err := command.ReadTask(os.Stdin)
	if err != nil {
		return complain(err)
	}
	l, err := ledger.Open(dir)
	if err != nil {
		return complain(err)
	}
	claim, err := l.Claim(t)
	if err != nil || claim == nil {
		return complain(err)
	}
	if err := claim.Effect("began"); err != nil {
		return complain(err)
	}
	for {
		if _, err := os.Stat(dir + "/go"); err == nil {
			break
		}
		_ = clock.Wall().Sleep(context.Background(), 5*time.Millisecond)
	}
	if conduct == "dies" {
		return 9
	}
	if err := claim.Settle("第一行\n第二行\n"); err != nil {
		return complain(err)
	}
	return 0
}

func complain(err error) int {
	fmt.Fprintln(os.Stderr, "agent:", err)
	return 1
}

const plan = "# PLAN pi-bridge/1\nFRAME: …\n\n## COMMANDS\n- `make`  \n"

func task(round int) agent.Task {
	return agent.Task{SID: "9f83a7c1d42e650b", Round: round, PlanKey: wire.PlanKey(plan), Plan: plan}
}
