package doctor

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"bridgesim/bridge/browser/chrome/launch"
)

// lookBrowser starts the browser that the engine would start, asks it nothing, and ends it.
func lookBrowser(ctx context.Context) (string, error) {
	path, tried, err := launch.Find()
	switch {
	case err != nil && os.Getenv(launch.EnvPath) != "":
		return "", err
	case err != nil:
		return "", fmt.Errorf("no Chromium at any of %d usual names and places", len(tried))
	}
	process, err := launch.Launch(ctx, launch.Options{Path: path})
	if err != nil {
		return "", err
	}
	if err := process.Close(); err != nil {
		return "", fmt.Errorf("%s started, but did not end: %w", path, err)
	}
	return fmt.Sprintf("%s at %s starts", name(ctx, path), path), nil
}

// name is what the browser calls itself. It starts without, so a failure is no finding.
func name(ctx context.Context, path string) string {
	out, err := exec.CommandContext(ctx, path, "--version").Output()
	if err != nil {
		return "a browser"
	}
	return strings.TrimSpace(string(out))
}

// mendBrowser: a browser that is not there is installed, a wrong setting is taken back, and one
// that does not start has to say why.
func mendBrowser(s System) string {
	path, _, err := launch.Find()
	switch {
	case err == nil:
		return path + " --headless --no-sandbox --dump-dom about:blank"
	case os.Getenv(launch.EnvPath) != "":
		return "unset " + launch.EnvPath
	}
	return s.Install(Browser)
}
