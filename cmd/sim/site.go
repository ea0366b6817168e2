package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"bridgesim/bridge/browser/chrome/launch"
	"bridgesim/bridge/clock"
	"bridgesim/fakesite"
	"bridgesim/fakesite/web"
)

// siteFlags say which site is served and where.
type siteFlags struct {
	addr, timing, script string
	tls                  bool
}

func newSiteCommand() *cobra.Command {
	var flags siteFlags
	cmd := &cobra.Command{
		Use:   "site",
		Short: "Serve the fake ChatGPT site for a person or for a bridge of your own",
		Long: `Serve the fake ChatGPT site on a loopback address until Ctrl-C. Its persona reads each
message and answers as a model would.

With --tls the site stands at https://chatgpt.com inside one browser: the one that is started with
the printed flags. They also keep that browser from every other host.`,
		Example: `  sim site --addr 127.0.0.1:8080 --timing instant
  sim site --tls`,
		Args: arguments(),
	}
	f := cmd.Flags()
	timings := strings.Join(fakesite.TimingNames(), ", ")
	f.StringVar(&flags.addr, "addr", "127.0.0.1:0", "loopback address; port 0 takes a free one")
	f.StringVar(&flags.timing, "timing", "typical", "how fast it is: "+timings)
	f.StringVar(&flags.script, "script", "", "JSON file with what the persona answers")
	f.BoolVar(&flags.tls, "tls", false, "serve https://chatgpt.com for one browser")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return flags.run(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
	}
	return cmd
}

func (f *siteFlags) run(ctx context.Context, out, errs io.Writer) error {
	site, err := f.site()
	if err != nil {
		return err
	}
	server, err := web.Start(web.Options{
		Site: site, Addr: f.addr, TLS: f.tls, Log: func(line string) { say(errs, "%s", line) },
	})
	if err != nil {
		return startError(err)
	}
	err = announce(out, server)
	if err == nil {
		<-ctx.Done() // Ctrl-C is how a site ends, so it is a pass
	}
	return errors.Join(err, server.Close())
}

// site makes the site that the flags describe.
func (f *siteFlags) site() (*fakesite.Site, error) {
	timing, err := fakesite.TimingByName(f.timing)
	if err != nil {
		return nil, usage("", "--timing: %w", err)
	}
	config := fakesite.Config{Timing: timing, Entropy: clock.System()}
	if f.script != "" {
		if config.Script, err = readScript(f.script); err != nil {
			return nil, err
		}
	}
	return fakesite.New(config), nil
}

// startError tells a port that cannot be had from an address that makes no sense.
func startError(err error) error {
	var listen *net.OpError
	if errors.As(err, &listen) {
		return environment("choose another --addr, 127.0.0.1:0 takes a free port", err)
	}
	return usage("want a loopback host:port", "--addr: %w", err)
}

// announce prints the address and, with TLS, how to start the one browser that finds it.
func announce(w io.Writer, server *web.Server) error {
	text := server.URL() + "\n"
	if strings.HasPrefix(text, "https://") {
		text += browserCommand(server) + "\n"
	}
	_, err := fmt.Fprint(w, text)
	return err
}

// browserCommand is a line for a shell. The pin of the certificate only counts in a profile of its
// own, and root has no sandbox.
func browserCommand(server *web.Server) string {
	program, _, err := launch.Find()
	if err != nil {
		program = "chromium"
	}
	words := []string{shellQuoted(program)}
	for _, flag := range server.ChromiumFlags() {
		words = append(words, shellQuoted(flag))
	}
	words = append(words, `--user-data-dir="$(mktemp -d)"`, "--no-first-run")
	if os.Geteuid() == 0 {
		words = append(words, "--no-sandbox")
	}
	return strings.Join(append(words, server.URL()+"/"), " ")
}

// shellQuoted is s as one word of a POSIX shell.
func shellQuoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
