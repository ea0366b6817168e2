package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"bridgesim/bridge/agent"
	"bridgesim/bridge/agent/command"
	"bridgesim/bridge/agent/command/ledger"
	"bridgesim/bridge/clock"
	"bridgesim/bridge/wire"
)

// agentFlags are the flags of sim agent and of its lookup.
type agentFlags struct {
	dir             string
	takes, dieAfter time.Duration
}

func newAgentCommand() *cobra.Command {
	var f agentFlags
	cmd := &cobra.Command{
		Use:   "agent",
		Short: "A demonstration agent for sim bridge: claims plans, pretends to execute them",
		Long: `A demonstration of the contract that an agent of your own must keep for "sim bridge
--agent". It executes nothing: for each entry of COMMANDS and FILES it appends one line to an
effects file.

The task comes on standard input: the lines "SID: …", "ROUND: …", "KEY: …", an empty line, then the
PLAN block word for word. The agent

  1. checks the plan's text against KEY and refuses it when they differ (exit code 1),
  2. claims (SID, ROUND, KEY) by one atomic durable create before its first effect; where a claim
     exists it starts nothing and prints what lookup would,
  3. appends its effects, and writes the receipt durably (write, fsync, rename) before it ends.

"lookup SID ROUND KEY" prints never, running, started or settled in its first line, and behind
"settled" the receipt. Running means that the claimant lives (it holds a lock that the kernel drops
with it), started that it is gone without a receipt: nobody can tell how far it came.

The folder holds DIR/effects (one JSON object a line), DIR/SID-ROUND-KEY.claim and .receipt.`,
		Example: `  sim bridge --agent "sim agent --ledger /tmp/agent --takes 2s" …
  sim agent --ledger /tmp/agent lookup 9f83a7c1d42e650b 1 a1b2c3d4`,
		Args: arguments(),
	}
	p := cmd.PersistentFlags()
	p.StringVar(&f.dir, "ledger", "", "folder of claims, effects and receipts (required)")
	p.DurationVar(&f.takes, "takes", 0, "how long an execution takes")
	p.DurationVar(&f.dieAfter, "die-after", 0, "die so long after the claim, without a receipt")
	_ = cmd.MarkPersistentFlagRequired("ledger") // fails on a typo only
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return f.execute(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout())
	}
	cmd.AddCommand(&cobra.Command{
		Use:   "lookup SID ROUND KEY",
		Short: "Print never, running, started, or settled with the receipt",
		Args:  arguments("SID", "ROUND", "KEY"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.lookup(args, cmd.OutOrStdout())
		},
	})
	return cmd
}

// lookup answers from the ledger.
func (f *agentFlags) lookup(args []string, out io.Writer) error {
	t, err := command.Named(args[0], args[1], args[2])
	if err != nil {
		return usage("", "%w", err)
	}
	l, err := ledger.Open(f.dir)
	if err != nil {
		return err
	}
	st, err := l.Lookup(t)
	if err == nil {
		_, err = io.WriteString(out, command.AnswerText(st))
	}
	return errors.Join(err, l.Close())
}

// execute claims the plan and works on it; where it was claimed before, it tells how it is doing.
func (f *agentFlags) execute(ctx context.Context, in io.Reader, out io.Writer) error {
	t, err := command.ReadTask(in)
	if err != nil {
		return usage("", "%w", err)
	}
	l, err := ledger.Open(f.dir)
	if err != nil {
		return err
	}
	defer l.Close() //nolint:errcheck // what counts is durable by now
	claim, err := l.Claim(t)
	switch {
	case errors.Is(err, ledger.ErrKey):
		return &ExitError{Code: exitFail, Err: err}
	case err != nil:
		return err
	case claim == nil:
		return f.lookup([]string{t.SID, fmt.Sprint(t.Round), t.PlanKey}, out)
	}
	receipt, err := f.work(ctx, claim, t)
	if err == nil {
		err = claim.Settle(receipt)
	}
	if err = errors.Join(err, claim.Release()); err != nil {
		return err
	}
	_, err = fmt.Fprintln(out, receipt)
	return err
}

// errDied is the end of an agent that was told to die.
var errDied = errors.New("died, as --die-after says; there is no receipt")

// work pretends: one effect per entry, evenly over the time that it takes.
func (f *agentFlags) work(ctx context.Context, claim *ledger.Claim, t agent.Task) (string, error) {
	c := clock.Wall()
	todo := entries(t)
	pause, spent := f.takes/time.Duration(len(todo)+1), time.Duration(0)
	for i := 0; i <= len(todo); i++ {
		if spent += pause; f.dieAfter > 0 && spent >= f.dieAfter {
			if err := c.Sleep(ctx, pause-(spent-f.dieAfter)); err != nil {
				return "", err
			}
			return "", &ExitError{Code: exitFail, Err: errDied}
		}
		if err := c.Sleep(ctx, pause); err != nil {
			return "", err
		}
		if i < len(todo) {
			if err := claim.Effect(todo[i]); err != nil {
				return "", err
			}
		}
	}
	return fmt.Sprintf("第 %d 轮已执行 %d 项：%s", t.Round, len(todo), strings.Join(todo, "；")), nil
}

// entries are what a plan asks for. Its FRAME was judged by the bridge.
func entries(t agent.Task) []string {
	plan, _ := wire.ReadPlan(t.Plan, wire.Frame{SID: t.SID, Round: t.Round})
	if !plan.Effects() {
		return nil
	}
	return append(append([]string(nil), plan.Commands...), plan.Files...)
}
