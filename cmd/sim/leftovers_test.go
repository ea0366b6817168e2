package main

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"bridgesim/bridge/browser/chrome/launch/launchtest"
)

const (
	rounds = "../../features/session/rounds.feature"
	// patience bounds a wait for another process on a busy machine; no test waits for it in vain.
	patience = 60 * time.Second
)

// TestNothingStaysBehind: however "sim run --engine chromium" ends, no process of its browser and
// no folder stays. Only a SIGKILL of sim leaves the folders, since nobody is left to remove them;
// the kernel still ends the browser.
func TestNothingStaysBehind(t *testing.T) {
	if runtime.GOOS != "linux" {
		launchtest.NotRun(t, "it reads /proc to find processes")
	}
	launchtest.Require(t)

	t.Run("by itself", func(t *testing.T) {
		c := startSim(t, rounds+":42")
		c.browserRuns()
		c.ends(exitPass)
		c.says(`(?m)^1 passed on chromium in .*, seed 1$`)
		c.leavesNothing()
	})
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(sig.String()+" in the middle", func(t *testing.T) {
			c := startSim(t, rounds)
			c.browserRuns()
			c.line(`^ok .*rounds\.feature:5 `)
			c.signal(sig)
			c.ends(exitUnknown)
			c.says(`(?m)^\d passed, \d stopped on chromium in .*, seed 1$`)
			c.complains("sim: stopped before the end\n")
			c.leavesNothing()
		})
	}
	t.Run("interrupt while the browser starts", func(t *testing.T) {
		c := startSim(t, rounds)
		c.browserRuns()
		c.signal(syscall.SIGINT)
		c.ends(exitUnknown)
		c.complains("sim: stopped before the end\n")
		c.leavesNothing()
	})
	t.Run("interrupt where scenarios strike browsers of their own", func(t *testing.T) {
		c := startSim(t, "../../features/recovery/row-05.feature")
		c.browserRuns()
		c.line(`^ok .*row-05\.feature`)
		c.signal(syscall.SIGINT)
		c.ends(exitUnknown)
		c.leavesNothing()
	})
	t.Run("killed", func(t *testing.T) {
		c := startSim(t, rounds)
		c.browserRuns()
		c.line(`^ok .*rounds\.feature:5 `)
		c.signal(syscall.SIGKILL)
		c.ends(-1)
		c.leavesNoProcess()
		for _, name := range c.folders() {
			t.Logf("SIGKILL leaves the folder %s", name)
			c.Expect(name).To(HavePrefix("bridgesim-"))
		}
	})
}

// child is sim as a process of its own, leader of its process group, with a temporary folder that
// nobody else uses.
type child struct {
	*WithT
	cmd    *exec.Cmd
	dir    string
	out    *bufio.Reader
	said   strings.Builder
	errors bytes.Buffer
	groups map[int]bool // process groups that were seen
}

func startSim(t *testing.T, path string) *child {
	t.Helper()
	dir, err := os.MkdirTemp("", "bs-") // short: it must hold a unix socket's name
	if err != nil {
		t.Fatal(err)
	}
	c := &child{WithT: NewWithT(t), dir: dir, groups: map[int]bool{}}
	c.cmd = exec.Command("sim", "run", "--engine", "chromium", path)
	c.cmd.Env = append(os.Environ(), "TMPDIR="+dir)
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.cmd.Stderr, c.cmd.WaitDelay = &c.errors, patience
	pipe, err := c.cmd.StdoutPipe()
	c.Expect(err).NotTo(HaveOccurred())
	c.out = bufio.NewReader(pipe)
	c.Expect(c.cmd.Start()).To(Succeed())
	t.Cleanup(func() {
		_ = syscall.Kill(-c.cmd.Process.Pid, syscall.SIGKILL) // when the test failed half-way
		if t.Failed() {
			t.Logf("stdout:\n%s\nstderr:\n%s", &c.said, &c.errors)
		}
		_ = os.RemoveAll(dir)
	})
	return c
}

// line reads up to the first line that matches.
func (c *child) line(pattern string) {
	for {
		line, err := c.out.ReadString('\n')
		c.said.WriteString(line)
		if regexp.MustCompile(pattern).MatchString(line) {
			return
		}
		c.Expect(err).NotTo(HaveOccurred(), "sim ended before it said "+pattern)
	}
}

// browserRuns waits until the browser is there: a test that looks for leftovers where nothing ever
// was cannot fail.
func (c *child) browserRuns() {
	c.Eventually(c.processes).WithTimeout(patience).Should(ContainElement(
		HaveField("Line", ContainSubstring("--user-data-dir="+c.dir+"/"))))
}

// signal goes to the whole process group, as Ctrl-C on a terminal does.
func (c *child) signal(sig syscall.Signal) {
	c.Expect(syscall.Kill(-c.cmd.Process.Pid, sig)).To(Succeed())
}

func (c *child) ends(code int) {
	rest, err := io.ReadAll(c.out)
	c.Expect(err).NotTo(HaveOccurred())
	c.said.Write(rest)
	_ = c.cmd.Wait() // the exit code tells
	c.Expect(c.cmd.ProcessState.ExitCode()).To(Equal(code))
}

func (c *child) says(pattern string)   { c.Expect(c.said.String()).To(MatchRegexp(pattern)) }
func (c *child) complains(text string) { c.Expect(c.errors.String()).To(Equal(text)) }

func (c *child) leavesNothing() {
	c.Expect(c.folders()).To(BeEmpty())
	c.leavesNoProcess()
}

// leavesNoProcess gives a killed process the moment that it needs to be gone.
func (c *child) leavesNoProcess() {
	c.Eventually(c.processes).WithTimeout(10 * time.Second).Should(BeEmpty())
}

func (c *child) folders() (names []string) {
	entries, err := os.ReadDir(c.dir)
	c.Expect(err).NotTo(HaveOccurred())
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// process is a living process.
type process struct {
	Pid, Group int
	Line       string
}

// processes are the processes, sim apart, that name our folder in their command line or
// environment, or are in the process group of one that did.
func (c *child) processes() (found []process) {
	all := living()
	for _, p := range all {
		if p.Pid != c.cmd.Process.Pid && (strings.Contains(p.Line, c.dir) || c.inherited(p)) {
			c.groups[p.Group] = true
		}
	}
	for _, p := range all {
		if c.groups[p.Group] && p.Pid != c.cmd.Process.Pid {
			found = append(found, p)
		}
	}
	return found
}

func (c *child) inherited(p process) bool {
	env, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(p.Pid), "environ"))
	return err == nil && bytes.Contains(env, []byte(c.dir))
}

// living lists the processes of this machine, those that are only not buried yet left out.
func living() (all []process) {
	dirs, _ := filepath.Glob("/proc/[0-9]*") // the pattern is right
	for _, dir := range dirs {
		stat, err := os.ReadFile(filepath.Join(dir, "stat"))
		line, lineErr := os.ReadFile(filepath.Join(dir, "cmdline"))
		// pid (name) state parent group …
		_, rest, ok := bytes.Cut(stat, []byte(") "))
		fields := bytes.Fields(rest)
		if err != nil || lineErr != nil || !ok || len(fields) < 3 || fields[0][0] == 'Z' {
			continue // it ended meanwhile
		}
		p := process{Line: strings.ReplaceAll(string(line), "\x00", " ")}
		p.Pid, _ = strconv.Atoi(filepath.Base(dir))
		p.Group, _ = strconv.Atoi(string(fields[2]))
		all = append(all, p)
	}
	return all
}
