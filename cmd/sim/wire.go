package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"bridgesim/bridge/wire"
)

func newWireCommand() *cobra.Command {
	cmd := group(&cobra.Command{
		Use:   "wire",
		Short: "Print the messages of pi-bridge/1, and check replies",
		Long: `Print, byte for byte, what the bridge sends, or check what came back: for people who write
a bridge of their own. A message has no final line break; on a terminal one is added.`,
	})
	cmd.AddCommand(newHelloCommand(), newHSCommand(), newRoundCommand(), newResumeCommand(),
		newRepairCommand(), newResyncCommand(), newWireCheckCommand())
	return cmd
}

// offerFlags are what HELLO, HS, RESUME and RESYNC are built from.
type offerFlags struct {
	sid, request, objective string
	capabilities, denials   []string
}

func (f *offerFlags) register(cmd *cobra.Command, required ...string) {
	f.objective = wire.DefaultObjective
	flags := cmd.Flags()
	flags.Var(sidFlag(&f.sid), "sid", "session id: 16 lower-case hex digits")
	flags.Var(textFlag(&f.request), "request", "the user's request; HELLO carries its digest only")
	flags.Var(textFlag(&f.objective), "objective", "a label that does not read as a question")
	f.registerCapabilities(cmd)
	require(cmd, required...)
}

func (f *offerFlags) registerCapabilities(cmd *cobra.Command) {
	f.capabilities, f.denials = wire.DefaultCapabilities(), wire.DefaultDenials()
	cmd.Flags().Var(namesFlag(&f.capabilities), "capabilities", "what pi can do")
	cmd.Flags().Var(namesFlag(&f.denials), "denials", "what pi must not do")
}

// offer builds the offer, and says so when the label had to be replaced.
func (f *offerFlags) offer(cmd *cobra.Command) wire.Offer {
	o := wire.NewOffer(f.sid, f.request, f.objective, f.capabilities, f.denials)
	if cmd.Flags().Changed("objective") && o.Objective == wire.DefaultObjective &&
		f.objective != wire.DefaultObjective {
		say(cmd.ErrOrStderr(), "the objective reads as a task, so HELLO says %q instead; "+
			"use a short label without question mark and without the request", o.Objective)
	}
	return o
}

// require marks flags as required; a name that does not exist is a bug in this file.
func require(cmd *cobra.Command, names ...string) {
	for _, name := range names {
		if err := cmd.MarkFlagRequired(name); err != nil {
			panic(err)
		}
	}
}

// newOfferCommand is a command that prints one message of an offer.
func newOfferCommand(use, short string, message func(wire.Offer) string, required ...string,
) *cobra.Command {
	var flags offerFlags
	cmd := &cobra.Command{Use: use, Short: short, Args: arguments(), Example: "  sim wire " + use +
		" --sid 9f83a7c1d42e650b --request 示例请求 --objective 示例目标"}
	flags.register(cmd, required...)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return printMessage(cmd.OutOrStdout(), message(flags.offer(cmd)))
	}
	return cmd
}

func newHelloCommand() *cobra.Command {
	return newOfferCommand("hello", "Print HELLO, which opens a session",
		wire.Offer.Hello, "sid", "request")
}

func newHSCommand() *cobra.Command {
	return newOfferCommand("hs", "Print HS, the acknowledgement that a correct partner answers",
		wire.Offer.HS, "sid")
}

func newResyncCommand() *cobra.Command {
	return newOfferCommand("resync", "Print RESYNC, which declares the static context again",
		wire.Offer.Resync, "sid", "request")
}

func newResumeCommand() *cobra.Command {
	var flags offerFlags
	var ck wire.Checkpoint
	var next int
	cmd := &cobra.Command{
		Use: "resume", Short: "Print RESUME, which goes on after a lost connection", Args: arguments(),
		Example: "  sim wire resume --sid 9f83a7c1d42e650b --checkpoint 3:a1b2c3d4 --next 4",
	}
	flags.register(cmd, "sid")
	cmd.Flags().Var(checkpointFlag(&ck), "checkpoint", "the last settled plan: <round>:<key>")
	cmd.Flags().Var(roundFlag(&next), "next", "the round to go on at (default: checkpoint + 1)")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		next, err := nextRound(cmd, ck, next)
		if err != nil {
			return err
		}
		return printMessage(cmd.OutOrStdout(), flags.offer(cmd).Resume(ck, next))
	}
	return cmd
}

// nextRound is NEXT: after the checkpoint, and right after it when the call does not say.
func nextRound(cmd *cobra.Command, ck wire.Checkpoint, next int) (int, error) {
	switch {
	case next == 0:
		return ck.Round + 1, nil
	case next <= ck.Round:
		return 0, usage(seeHelp(cmd), "--next %d is settled already by --checkpoint %s", next, ck)
	}
	return next, nil
}

// frameFlags are the FRAME of a round.
type frameFlags struct {
	sid, request, prev string
	round              int
}

func (f *frameFlags) register(cmd *cobra.Command) {
	f.prev, f.round = wire.NoPlan, 1
	flags := cmd.Flags()
	flags.Var(sidFlag(&f.sid), "sid", "session id: 16 lower-case hex digits")
	flags.Var(textFlag(&f.request), "request", "the user's request, for its digest and ROUND 1")
	flags.Var(roundFlag(&f.round), "round", "number of the round")
	flags.Var(prevFlag(&f.prev), "prev", "key of the last settled plan")
	require(cmd, "sid", "request")
}

func (f *frameFlags) frame(cmd *cobra.Command) (wire.Frame, error) {
	if f.round == 1 && f.prev != wire.NoPlan {
		return wire.Frame{}, usage(seeHelp(cmd),
			"--prev %s: no plan can be settled before round 1", f.prev)
	}
	return wire.Frame{SID: f.sid, Round: f.round, Prev: f.prev, QID: wire.QID(f.request)}, nil
}

func newRoundCommand() *cobra.Command {
	var flags frameFlags
	var receipt string
	cmd := &cobra.Command{
		Use: "round", Short: "Print ROUND: the request in round 1, a receipt later", Args: arguments(),
		Example: `  sim wire round --sid 9f83a7c1d42e650b --request 示例请求
  sim wire round --sid 9f83a7c1d42e650b --request 示例请求 --round 2 --prev a1b2c3d4 \
    --receipt "npm test 全绿"`,
	}
	flags.register(cmd)
	cmd.Flags().Var(textFlag(&receipt), "receipt", "what the last plan did, from round 2 on")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		frame, err := flags.frame(cmd)
		if err != nil {
			return err
		}
		message, err := roundMessage(cmd, frame, flags.request, receipt)
		if err != nil {
			return err
		}
		return printMessage(cmd.OutOrStdout(), message)
	}
	return cmd
}

// roundMessage holds the flags to the law that the request travels in ROUND 1 and nowhere else.
func roundMessage(cmd *cobra.Command, f wire.Frame, request, receipt string) (string, error) {
	given := cmd.Flags().Changed("receipt")
	switch {
	case f.Round == 1 && given:
		return "", usage(seeHelp(cmd), "--receipt: round 1 carries the request, receipts come later")
	case f.Round == 1:
		return wire.FirstRound(f, request), nil
	case !given:
		return "", usage(seeHelp(cmd), "round %d carries --receipt, which is not given", f.Round)
	}
	return wire.NextRound(f, receipt), nil
}

func newRepairCommand() *cobra.Command {
	var flags frameFlags
	var codes []wire.Code
	cmd := &cobra.Command{
		Use: "repair", Short: "Print REPAIR, which asks for the same round again", Args: arguments(),
		Example: "  sim wire repair --sid 9f83a7c1d42e650b --request 示例请求 --round 2 \\\n" +
			"    --prev a1b2c3d4 --errors E_BLOCKS,E_FRAME",
	}
	flags.register(cmd)
	cmd.Flags().Var(repairCodesFlag(&codes), "errors", "error codes between commas")
	require(cmd, "errors")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		frame, err := flags.frame(cmd)
		if err != nil {
			return err
		}
		return printMessage(cmd.OutOrStdout(), wire.RepairRound(frame, codes))
	}
	return cmd
}

// printMessage writes a message as the bridge sends it.
func printMessage(w io.Writer, message string) error {
	if isTerminal(w) {
		message += "\n"
	}
	_, err := fmt.Fprint(w, message)
	return err
}
