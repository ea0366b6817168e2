package launch_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"go.uber.org/goleak"

	"bridgesim/bridge/browser/chrome/launch"
	"bridgesim/bridge/browser/chrome/launch/launchtest"
)

const (
	patience = 20 * time.Second
	// envChild makes the test binary a parent that starts a browser and waits to be killed.
	envChild = "LAUNCH_TEST_PARENT"
)

func TestMain(m *testing.M) {
	if os.Getenv(envChild) != "" {
		p, err := launch.Launch(context.Background(), launch.Options{})
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println(p.Pid())
		select {}
	}
	os.Exit(m.Run())
}

func TestLaunch(t *testing.T) {
	RegisterFailHandler(Fail)
	launchtest.Require(t)
	RunSpecs(t, "bridge/browser/chrome/launch")
}

// script makes a program that stands for a browser.
func script(body string) string {
	GinkgoHelper()
	path := filepath.Join(GinkgoT().TempDir(), "browser")
	Expect(os.WriteFile(path, []byte("#!/bin/sh\n"+body+"\n"), 0o700)).To(Succeed())
	return path
}

func answers(p *launch.Process) bool {
	c := http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: time.Second}
	r, err := c.Get(p.Endpoint() + "/json/version")
	if err != nil {
		return false
	}
	defer r.Body.Close() //nolint:errcheck // only the status counts
	return r.StatusCode == http.StatusOK
}

// folders lists what Launch made in dir.
func folders(dir string) ([]string, error) {
	return filepath.Glob(filepath.Join(dir, "bridgesim-*"))
}

func groupGone(pid int) func() bool {
	return func() bool { return errors.Is(syscall.Kill(-pid, 0), syscall.ESRCH) }
}

var _ = Describe("Find", func() {
	It("takes the environment's browser and no other", func() {
		path := script("true")
		GinkgoT().Setenv(launch.EnvPath, path)
		got, tried, err := launch.Find()
		Expect(err).NotTo(HaveOccurred())
		Expect(got).To(Equal(path))
		Expect(tried).To(Equal([]string{path}))
		GinkgoT().Setenv(launch.EnvPath, path+"-missing")
		_, _, err = launch.Find()
		Expect(err).To(MatchError(ContainSubstring(launch.EnvPath + "=" + path + "-missing")))
		Expect(errors.Is(err, os.ErrNotExist)).To(BeTrue())
	})
	It("looks in PATH by name", func() {
		dir := GinkgoT().TempDir()
		path := filepath.Join(dir, "chromium-browser")
		Expect(os.WriteFile(path, nil, 0o700)).To(Succeed())
		GinkgoT().Setenv(launch.EnvPath, "")
		GinkgoT().Setenv("PATH", dir)
		got, tried, err := launch.Find()
		Expect(err).NotTo(HaveOccurred())
		Expect(got).To(Equal(path))
		Expect(tried).To(Equal([]string{"chromium", "chromium-browser"}))
	})
})

var _ = Describe("Launch", func() {
	var temp string
	BeforeEach(func() {
		before := goleak.IgnoreCurrent()
		DeferCleanup(func() { Expect(goleak.Find(before)).To(Succeed()) })
		var err error
		temp, err = os.MkdirTemp("", "ls-") // short: a unix socket lies in it
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(os.RemoveAll, temp)
		GinkgoT().Setenv("TMPDIR", temp)
	})
	start := func(ctx context.Context, o launch.Options) *launch.Process {
		GinkgoHelper()
		p, err := launch.Launch(ctx, o)
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(p.Close)
		Expect(answers(p)).To(BeTrue())
		return p
	}
	nothingLeft := func(pid int) {
		GinkgoHelper()
		Eventually(groupGone(pid), "2s").Should(BeTrue())
		Expect(folders(temp)).To(BeEmpty())
	}

	It("starts a browser that Close removes without a trace", func() {
		var said bytes.Buffer
		p := start(context.Background(), launch.Options{
			Stderr: &said, ExtraFlags: []string{"--user-agent=a=b", "mute-audio"},
		})
		Expect(p.Profile()).To(HavePrefix(temp))
		line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", p.Pid()))
		Expect(err).NotTo(HaveOccurred())
		args := strings.Split(string(line), "\x00")
		Expect(args).To(ContainElements("--user-agent=a=b", "--mute-audio", "--headless"))
		Expect(p.Close()).To(Succeed())
		Expect(p.Close()).To(Succeed())
		Expect(p.Done()).To(BeClosed())
		Expect(said.String()).To(ContainSubstring("DevTools listening on"))
		Expect(p.Kill()).To(MatchError(os.ErrProcessDone))
		nothingLeft(p.Pid())
	})
	It("kills the browser and cleans up when its context ends", func() {
		ctx, cancel := context.WithCancel(context.Background())
		p := start(ctx, launch.Options{})
		cancel()
		Eventually(p.Done(), patience).Should(BeClosed())
		nothingLeft(p.Pid())
	})
	It("cleans up after Kill, and after a kill from outside", func() {
		p := start(context.Background(), launch.Options{})
		Expect(p.Kill()).To(Succeed())
		Eventually(p.Done(), patience).Should(BeClosed())
		nothingLeft(p.Pid())
		p = start(context.Background(), launch.Options{})
		Expect(syscall.Kill(p.Pid(), syscall.SIGKILL)).To(Succeed())
		Eventually(p.Done(), patience).Should(BeClosed())
		nothingLeft(p.Pid())
	})
	It("closes a frozen browser", func() {
		p := start(context.Background(), launch.Options{})
		Expect(p.Signal(syscall.SIGSTOP)).To(Succeed())
		Expect(answers(p)).To(BeFalse())
		begin := time.Now()
		Expect(p.Close()).To(Succeed())
		Expect(time.Since(begin)).To(BeNumerically("<", patience))
		nothingLeft(p.Pid())
	})
	It("keeps a profile that it was given, and starts on it and its port again (F260)", func() {
		profile := filepath.Join(GinkgoT().TempDir(), "mine")
		p := start(context.Background(), launch.Options{ProfileDir: profile})
		Expect(p.Profile()).To(Equal(profile))
		Expect(p.Close()).To(Succeed())
		nothingLeft(p.Pid())
		Expect(filepath.Join(profile, "Local State")).To(BeAnExistingFile())
		_, port, _ := strings.Cut(strings.TrimPrefix(p.Endpoint(), "http://"), ":")
		n, err := strconv.Atoi(port)
		Expect(err).NotTo(HaveOccurred())
		again := start(context.Background(), launch.Options{ProfileDir: profile, Port: n})
		Expect(again.Endpoint()).To(Equal(p.Endpoint()))
	})
	It("leaves no browser behind a parent that was killed", func() {
		self, err := os.Executable()
		Expect(err).NotTo(HaveOccurred())
		cmd := exec.Command(self)
		cmd.Env = append(os.Environ(), envChild+"=1")
		out, err := cmd.StdoutPipe()
		Expect(err).NotTo(HaveOccurred())
		Expect(cmd.Start()).To(Succeed())
		var pid int
		_, err = fmt.Fscan(out, &pid)
		Expect(err).NotTo(HaveOccurred())
		Expect(groupGone(pid)()).To(BeFalse())
		Expect(cmd.Process.Kill()).To(Succeed())
		_ = cmd.Wait() // it was killed
		Eventually(groupGone(pid), patience).Should(BeTrue())
	})

	DescribeTable("says in one line why a browser did not start, and leaves nothing",
		func(body, want string) {
			path := script(body)
			_, err := launch.Launch(context.Background(),
				launch.Options{Path: path, StartLimit: time.Second})
			var e *launch.StartError
			Expect(errors.As(err, &e)).To(BeTrue(), "%v", err)
			Expect(err.Error()).To(SatisfyAll(ContainSubstring(path), ContainSubstring(want),
				ContainSubstring(launch.EnvPath), Not(ContainSubstring("\n"))))
			Expect(folders(temp)).To(BeEmpty())
		},
		Entry("it ends at once", "echo no display; echo giving up >&2; exit 3",
			"it said: no display | giving up"),
		Entry("it says nothing", "exit 1", "it said nothing"),
		Entry("it hangs", "echo starting; exec sleep 600", "it said: starting"),
		Entry("it names a dead port",
			"echo DevTools listening on ws://127.0.0.1:1/devtools/browser/x; exec sleep 600",
			"127.0.0.1:1"),
	)
	It("says so when the program is not there, and when its context has ended", func() {
		_, err := launch.Launch(context.Background(), launch.Options{Path: "/no/such/browser"})
		Expect(err).To(MatchError(os.ErrNotExist))
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_, err = launch.Launch(ctx, launch.Options{})
		Expect(err).To(MatchError(context.Canceled))
	})
})
