package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"bridgesim/bridge/clock"
	"bridgesim/sim/certify"
	"bridgesim/sim/mutants"
)

// certifyFlags are the flags of sim certify.
type certifyFlags struct {
	profile  string
	subject  string
	out      string
	seed     uint64
	features string
	verify   string
	compare  bool
	errs     io.Writer // hears what is being run, when a person watches
}

// sampleOf is how many mutants the profile ci builds.
const sampleOf = 3

func newCertifyCommand() *cobra.Command {
	f := certifyFlags{}
	cmd := &cobra.Command{
		Use:   "certify",
		Short: "Say whether this bridge may ship, with evidence that can be checked again",
		Long: `Judge every gate of a profile and write a certificate: certificate.json (an in-toto
Statement with a test-result predicate), certificate.html, junit.xml and the evidence of each gate.
On a build server that sets GITHUB_STEP_SUMMARY the table goes there too.

The profile "ci" takes minutes and needs no browser; "release" takes hours. A gate that cannot be
run here (no browser, no Go, no source) is NOT_VERIFIED, with the reason. That is never a pass.

--subject certifies another build of sim. --verify holds a certificate against its evidence and
against what is here now, and names what differs; --compare lists what a newer one has lost.

Exit codes: 0 every required gate passed (--verify: nothing differs, --compare: nothing is worse),
1 a gate failed or something differs, 2 a wrong call, 4 nothing failed, and a required gate was not
verified or the run was stopped.`,
		Example: `  sim certify --profile ci --out cert
  sim certify --verify cert/certificate.json
  sim certify --compare old/certificate.json new/certificate.json`,
		Args: func(_ *cobra.Command, args []string) error {
			want := 0
			if f.compare {
				want = 2
			}
			if len(args) != want {
				return usage(`see "sim certify --help"`, "it takes %d arguments here, got %d", want,
					len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case f.compare && f.verify != "":
				return usage("use one of them", "--verify and --compare are two questions")
			case f.compare:
				return compareCertificates(args[0], args[1], cmd.OutOrStdout())
			case f.verify != "":
				return f.check(cmd.Context(), cmd.OutOrStdout())
			}
			f.errs = cmd.ErrOrStderr()
			return f.run(cmd.Context(), cmd.OutOrStdout())
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&f.profile, "profile", string(certify.CI), "gates to judge: ci or release")
	fl.StringVar(&f.subject, "subject", "", "the build of sim to certify; this one without it")
	fl.StringVar(&f.out, "out", "certificate", "folder that gets the certificate; it must be new")
	fl.Uint64Var(&f.seed, "seed", 1, "seed of the runs and of the sample of mutants")
	fl.StringVar(&f.features, "features", "features", "folder of the features")
	fl.StringVar(&f.verify, "verify", "", "certificate.json to check, in place of making one")
	fl.BoolVar(&f.compare, "compare", false, "compare the certificates OLD and NEW")
	_ = cmd.RegisterFlagCompletionFunc("profile", fixed(certify.Profiles()...)) // fails on a typo only
	return cmd
}

// run makes a certificate.
func (f *certifyFlags) run(ctx context.Context, out io.Writer) error {
	if !isOneOf(f.profile, certify.Profiles()) {
		return usage("use one of ci, release", "unknown profile %q", f.profile)
	}
	if err := newFolder(f.out); err != nil {
		return err
	}
	subjects, err := f.subjects(ctx, f.features)
	if err != nil {
		return err
	}
	seed := strconv.FormatUint(f.seed, 10)
	p := report{w: out, paint: paintFor(out)}
	st, err := certify.Run(ctx, certify.Options{
		Plan: certify.Plan{
			Profile: certify.Profile(f.profile), Features: filepath.ToSlash(f.features), Seed: seed,
			Sample: certify.Sample(seed, sampleOf, mutants.Names()),
		},
		Subjects: subjects, Run: f.step, Where: filepath.ToSlash(f.out) + "/",
		Program: f.subject,
		Keep: func(file certify.File) error {
			return os.WriteFile(filepath.Join(f.out, filepath.FromSlash(file.Name)), file.Content, 0o644)
		},
		Each:     func(_ certify.Gate, r certify.Result) { p.gate(r) },
		Finished: func() string { return clock.Wall().Now().UTC().Format(time.RFC3339) },
	})
	if st == nil {
		return err
	}
	p.line("%s: %d passed, %d failed, %d not verified; %s", st.Predicate.Result,
		len(st.Predicate.PassedTests), len(st.Predicate.FailedTests), len(st.Predicate.WarnedTests),
		filepath.Join(f.out, "certificate.html"))
	if err = errors.Join(err, p.err, writeCertificate(f.out, st)); err != nil {
		return err
	}
	return certified(st)
}

// certified is the verdict of a certificate as an exit code.
func certified(st *certify.Statement) error {
	switch {
	case st.Passed():
		return nil
	case st.Broke():
		return failed()
	}
	return &ExitError{Code: exitUnknown, Err: errors.New("a required gate was not verified")}
}

// gate prints one gate, and what broke first.
func (p *report) gate(r certify.Result) {
	word := map[certify.Status]string{
		certify.Pass: p.paint.good("PASS        "), certify.Fail: p.paint.bad("FAIL        "),
	}[r.Status]
	if word == "" {
		word = p.paint.weak("NOT_VERIFIED")
	}
	p.line("%s  %-20s %s (%s)", word, r.Name, printable(r.Proves), r.Took.Round(100*time.Millisecond))
	if r.Status == certify.Pass {
		return
	}
	p.line("                %s", printable(r.Reason))
	for _, s := range r.Found[:min(3, len(r.Found))] {
		p.line("                  %s", printable(s))
	}
	for _, s := range r.Repro[:min(1, len(r.Repro))] {
		p.line("                repeat: %s", printable(s))
	}
}

// newFolder makes the folder of a certificate. Old evidence beside new would prove nothing.
func newFolder(dir string) error {
	if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
		return usage("name a new folder with --out", "%s is not empty", dir)
	}
	if err := os.MkdirAll(filepath.Join(dir, "evidence"), 0o755); err != nil {
		return usage("name a folder that can be written with --out", "%s: %w", dir, err)
	}
	return nil
}

// program is the build that is certified.
func (f *certifyFlags) program() (string, error) {
	if f.subject == "" {
		return os.Executable()
	}
	path, err := exec.LookPath(f.subject)
	if err != nil {
		return "", usage("name a build of sim with --subject", "%w", err)
	}
	return path, nil
}

// subjects names what is here: the build, its tables, the features.
func (f *certifyFlags) subjects(
	ctx context.Context, features string,
) ([]certify.Descriptor, error) {
	path, err := f.program()
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(features); err != nil || !info.IsDir() {
		return nil, usage("change to the folder of the source, or use --features",
			"%s is no folder of features", features)
	}
	binary, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	version, err := exec.CommandContext(ctx, path, "version").Output()
	if err != nil {
		return nil, usage("name a build of sim with --subject", "%s version: %w", path, err)
	}
	// Holes make it end with 1: the gates will say so.
	tables, err := exec.CommandContext(ctx, path, "coverage", "--json", features).Output()
	switch {
	case len(tables) > 0:
	case f.verify != "": // a feature that nobody can read any more is named as changed
		tables = []byte("{}")
	default:
		return nil, usage(`"sim run `+features+`" says more`, "%s coverage: %w", path, err)
	}
	return certify.Subjects(certify.Of{
		Binary: binary, Version: string(version), Coverage: tables, Features: os.DirFS(features),
		Name: filepath.ToSlash(features),
	})
}

// step runs one command of a gate.
func (f *certifyFlags) step(ctx context.Context, s certify.Step) (certify.Output, error) {
	program := string(s.Tool)
	var err error
	switch s.Tool {
	case certify.Subject:
		program, err = f.program()
	case certify.Go:
		if program, err = exec.LookPath("go"); err == nil {
			_, err = mutants.Root(ctx)
		}
		if err != nil {
			return certify.Output{Missing: "Go and the source are needed: " + err.Error()}, nil
		}
	}
	if err != nil {
		return certify.Output{}, err
	}
	if isTerminal(f.errs) {
		fmt.Fprintf(f.errs, "\r\x1b[K… %s", shorten(printable(s.Line()), 76))
		defer fmt.Fprint(f.errs, "\r\x1b[K")
	}
	var out, errs bytes.Buffer
	limited, cancel := clock.Wall().WithTimeout(ctx, s.Limit)
	defer cancel()
	began := clock.Wall().Now()
	cmd := exec.CommandContext(limited, program, s.Args...)
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &out, &errs, 5*time.Second
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	err = cmd.Run()
	o := certify.Output{
		Stdout: out.Bytes(), Stderr: errs.Bytes(), Exit: cmd.ProcessState.ExitCode(),
		Took: clock.Wall().Now().Sub(began),
	}
	var exit *exec.ExitError
	switch {
	case limited.Err() != nil && ctx.Err() == nil:
		o.Broken = fmt.Sprintf("it took longer than %s", s.Limit)
	case err != nil && !errors.As(err, &exit):
		o.Broken = err.Error()
	case o.Exit < 0:
		o.Broken = "it was ended from outside: " + err.Error()
	}
	return o, nil
}

// writeCertificate writes everything that shows the statement, and its sum.
func writeCertificate(dir string, st *certify.Statement) error {
	text, err := st.Write()
	if err != nil {
		return err
	}
	plain := func(w io.Writer) error { _, err := w.Write(text); return err }
	for name, write := range map[string]func(io.Writer) error{
		"certificate.json": plain, "certificate.html": st.WriteHTML, "junit.xml": st.WriteJUnit,
	} {
		if err := wholeFile(filepath.Join(dir, name), write); err != nil {
			return err
		}
	}
	path := os.Getenv("GITHUB_STEP_SUMMARY")
	if path == "" {
		return nil
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("the summary of the build: %w", err)
	}
	return errors.Join(st.WriteSummary(f), f.Close())
}

func readCertificate(path string) (*certify.Statement, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	st, err := certify.Read(text)
	if err != nil {
		return nil, usage("name the certificate.json of sim certify", "%s: %w", path, err)
	}
	return st, nil
}

// check verifies a certificate against its evidence and against what is here.
func (f *certifyFlags) check(ctx context.Context, out io.Writer) error {
	st, err := readCertificate(f.verify)
	if err != nil {
		return err
	}
	present, err := f.subjects(ctx, st.Predicate.Features)
	if err != nil {
		return err
	}
	p := report{w: out, paint: paintFor(out)}
	found := certify.Verify(st, os.DirFS(filepath.Dir(f.verify)), present)
	for _, s := range found {
		p.line("%s  %s", p.paint.bad("DIFFERS"), printable(s))
	}
	if len(found) > 0 {
		return errors.Join(p.err, failed())
	}
	p.line("it still says the truth: %s, %d gates, %d subjects", st.Predicate.Result,
		len(st.Predicate.Gates), len(st.Subject))
	return p.err
}

// compareCertificates lists what is worse in the newer one.
func compareCertificates(older, newer string, out io.Writer) error {
	a, err := readCertificate(older)
	if err != nil {
		return err
	}
	b, err := readCertificate(newer)
	if err != nil {
		return err
	}
	p := report{w: out, paint: paintFor(out)}
	worse := certify.Compare(a, b)
	for _, s := range worse {
		p.line("%s  %s", p.paint.bad("WORSE"), printable(strings.TrimSuffix(s, ": ")))
	}
	if len(worse) > 0 {
		return errors.Join(p.err, failed())
	}
	p.line("nothing is worse: %s, then %s", a.Predicate.Result, b.Predicate.Result)
	return p.err
}
