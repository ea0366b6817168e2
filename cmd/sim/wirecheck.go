package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"bridgesim/bridge/wire"
	"bridgesim/cmd/sim/review"
)

// checkFlags are what a reply is held against.
type checkFlags struct {
	offerFlags
	frame *wire.Frame
	kind  string
	ck    wire.Checkpoint
	next  int
	json  bool
}

func newWireCheckCommand() *cobra.Command {
	var flags checkFlags
	cmd := &cobra.Command{
		Use:   "check FILE|-",
		Short: "Check a reply and print every fault with its domain, its action and its place",
		Long: `Check a reply of ChatGPT, at most 1 MiB, and print every fault with its error code, the
domain that it is attributed to, what the domain demands, and its place. Exit code 1 when there is
any. Without --frame everything is checked but whether the reply belongs to the round.`,
		Example: `  sim wire check reply.md --frame 's=9f83a7c1d42e650b r=2 p=a1b2c3d4 q=e1db9b58'
  pbpaste | sim wire check - --json`,
		Args: arguments("FILE|-"),
	}
	f := cmd.Flags()
	f.Var(frameFlag(&flags.frame), "frame", "FRAME of the round that was sent: 's=… r=… p=… q=…'")
	f.StringVar(&flags.kind, "kind", "", "plan or ack (default: by the reply's own header)")
	f.Var(checkpointFlag(&flags.ck), "checkpoint", "ack of a RESUME: the checkpoint that was sent")
	f.Var(roundFlag(&flags.next), "next", "ack of a RESUME: the round that was sent")
	f.BoolVar(&flags.json, "json", false, "print JSON")
	flags.registerCapabilities(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return flags.run(cmd, args[0]) }
	return cmd
}

func (f *checkFlags) run(cmd *cobra.Command, name string) error {
	want, err := f.expected(cmd)
	if err != nil {
		return err
	}
	reply, err := readReply(cmd.Context(), cmd.InOrStdin(), name)
	if err != nil {
		return err
	}
	verdict := review.Of(reply, want)
	if err := f.print(cmd.OutOrStdout(), name, verdict); err != nil || verdict.OK {
		return err
	}
	return failed()
}

func (f *checkFlags) expected(cmd *cobra.Command) (review.Expected, error) {
	want := review.Expected{
		Kind: review.Kind(f.kind), Frame: f.frame,
		Capabilities: f.capabilities, Denials: f.denials,
	}
	switch want.Kind {
	case review.Auto, review.Plan, review.Ack:
	default:
		return want, usage(`want "plan" or "ack"`, "--kind %q is unknown", f.kind)
	}
	if !cmd.Flags().Changed("checkpoint") && f.next == 0 {
		return want, nil
	}
	if want.Kind != review.Ack {
		return want, usage("add --kind ack", "--checkpoint and --next belong to the ack of a RESUME")
	}
	next, err := nextRound(cmd, f.ck, f.next)
	want.Resume = &review.Resume{Checkpoint: f.ck, Next: next}
	return want, err
}

func (f *checkFlags) print(w io.Writer, name string, verdict review.Review) error {
	if f.json {
		return printJSON(w, verdict)
	}
	if name == "-" {
		name = "<stdin>"
	}
	_, err := fmt.Fprint(w, verdict.Text(printable(name)))
	return err
}

// printJSON writes v the way people and tools both read it: indented, and Chinese as it is.
func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// readReply reads a file or, for "-", standard input, up to the limit of the readers.
func readReply(ctx context.Context, in io.Reader, name string) (string, error) {
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return "", err
		}
		defer file.Close()
		in = file
	}
	text, err := readAll(ctx, io.LimitReader(in, wire.MaxInput+1))
	switch {
	case err != nil:
		return "", err
	case len(text) > wire.MaxInput:
		return "", usage("save the reply alone", "%s is larger than %d bytes", name, wire.MaxInput)
	}
	return string(text), nil
}

// readAll is io.ReadAll that Ctrl-C ends, although a read of a terminal or a pipe cannot be broken
// off: the reader is left behind, and the program ends.
func readAll(ctx context.Context, in io.Reader) ([]byte, error) {
	var text []byte
	done := make(chan error, 1)
	go func() {
		var err error
		text, err = io.ReadAll(in)
		done <- err
	}()
	select {
	case err := <-done:
		return text, err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
