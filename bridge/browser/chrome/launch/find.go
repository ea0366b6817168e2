package launch

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// EnvPath names the browser to use, before all others.
const EnvPath = "SIM_CHROMIUM"

// candidates are looked for in PATH when they hold no slash.
var candidates = []string{
	"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "headless_shell",
	"/usr/bin/chromium", "/usr/lib/chromium/chromium", "/usr/bin/google-chrome",
	"/opt/google/chrome/chrome", "/snap/bin/chromium", "/headless-shell/headless-shell",
	"/Applications/Chromium.app/Contents/MacOS/Chromium",
	"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
}

// Find returns the path of a Chromium: SIM_CHROMIUM if it is set, else the first of the usual names
// and places. tried lists what was looked at; the error says what mends it.
func Find() (path string, tried []string, err error) {
	if env := os.Getenv(EnvPath); env != "" {
		path, err = exec.LookPath(env)
		if err != nil {
			return "", []string{env}, fmt.Errorf("%s=%s is no program that can run (%w): correct or "+
				"unset it", EnvPath, env, err)
		}
		return path, []string{env}, nil
	}
	for _, name := range candidates {
		tried = append(tried, name)
		if path, err := exec.LookPath(name); err == nil {
			return path, tried, nil
		}
	}
	return "", tried, fmt.Errorf("no Chromium found (looked for %s): run `apt-get install -y "+
		"chromium` or `make setup`, or set %s to its path", strings.Join(tried, ", "), EnvPath)
}
