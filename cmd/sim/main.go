// Command sim runs pi-bridge/1 sessions against a fake ChatGPT site and judges them.
//
//	sim run     features on the embedded virtual engine, or on a real Chromium
//	sim site    the fake site, for a person or a bridge of your own
//	sim bridge  the reference bridge as a program
//	sim agent   a demonstration agent for it
//	sim wire    the messages of the protocol, printed and checked
//	sim steps   the vocabulary of the features
//	sim doctor  what this machine lacks, and the command that mends it
//
// Each subcommand is one file that turns flags into one call of a package. What sim says to a
// person is ruled in say.go, how it ends in exit.go.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run is the whole program between its streams; it returns the exit code.
//
// The first Ctrl-C (or SIGTERM) cancels the context, and everything that was started is ended in
// order. The second one finds the system's own handler again and ends sim at once.
func run(args []string, in io.Reader, out, errs io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	root := newRoot(in, out, errs)
	root.SetArgs(args)
	return end(errs, root.ExecuteContext(ctx))
}
