//go:build unix

package command_test

import (
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// kill ends the process whose id a file holds, and proves first that it leads a session of its own.
func kill(file string) {
	GinkgoHelper()
	text, err := os.ReadFile(file)
	Expect(err).NotTo(HaveOccurred())
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	Expect(err).NotTo(HaveOccurred())
	group, err := syscall.Getpgid(pid)
	Expect(err).NotTo(HaveOccurred())
	Expect(group).To(Equal(pid), "the agent is not in a group of its own: a Ctrl-C would end it")
	Expect(syscall.Kill(pid, syscall.SIGKILL)).To(Succeed())
	Eventually(func() error { return syscall.Kill(pid, 0) }).WithTimeout(10 * time.Second).
		Should(MatchError(syscall.ESRCH))
}
