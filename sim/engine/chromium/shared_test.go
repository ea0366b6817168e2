package chromium_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// sharedPid finds the browser process whose profile lies in dir; its children name a --type.
func sharedPid(dir string) int {
	GinkgoHelper()
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	Expect(err).NotTo(HaveOccurred())
	for _, f := range files {
		line, err := os.ReadFile(f)
		if err != nil || !strings.Contains(string(line), "--user-data-dir="+dir) ||
			strings.Contains(string(line), "--type=") {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(f)))
		Expect(err).NotTo(HaveOccurred())
		return pid
	}
	Fail("no browser process for " + dir)
	return 0
}
