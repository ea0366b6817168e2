package doctor

import (
	"context"
	"errors"
	"fmt"
	"go/version"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// minGo is the version in go.mod.
const minGo = "go1.26"

// Checks is the table.
func Checks() []Check {
	return []Check{
		{
			Name: "go", For: "building and testing", Required: true, Limit: time.Minute,
			Look: lookGo,
			Mend: func(System) string {
				return "install Go 1.26 or newer, see https://go.dev/doc/install"
			},
		},
		{
			Name: "browser", For: "the chromium engine", Required: true, Limit: time.Minute,
			Look: lookBrowser, Mend: mendBrowser,
		},
		{
			Name: "port", For: "the fake site and the proxy", Required: true, Limit: 10 * time.Second,
			Look: lookPort,
			Mend: func(System) string { return "ip link set lo up" },
		},
		{
			Name: "temp", For: "browser profiles and state folders", Required: true,
			Limit: 10 * time.Second, Look: lookTemp,
			Mend: func(System) string { return `export TMPDIR="$(mktemp -d -p "$HOME")"` },
		},
		{
			Name: "fonts", For: "reading Chinese text in screenshots", Limit: 10 * time.Second,
			Look: lookFonts, Mend: mendFonts,
		},
	}
}

func lookGo(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "env", "GOVERSION").Output()
	if err != nil {
		return "", fmt.Errorf("no Go tool: %w", err)
	}
	found := strings.TrimSpace(string(out))
	if version.Compare(found, minGo) < 0 {
		return "", fmt.Errorf("%s is too old, want %s or newer", found, minGo)
	}
	return found, nil
}

// lookPort binds a loopback port and connects to it.
func lookPort(ctx context.Context) (string, error) {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer listener.Close()
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "tcp4", listener.Addr().String())
	if err != nil {
		return "", err
	}
	return "127.0.0.1 can be bound and reached", conn.Close()
}

// lookTemp writes a file to the temporary folder and makes it durable, as a state folder needs it.
func lookTemp(context.Context) (string, error) {
	dir, err := os.MkdirTemp("", "sim-doctor-")
	if err != nil {
		return "", err
	}
	err = writeDurably(filepath.Join(dir, "probe"))
	return os.TempDir(), errors.Join(err, os.RemoveAll(dir))
}

func writeDurably(path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = file.WriteString("sim")
	return errors.Join(err, file.Sync(), file.Close())
}

// errNoFontconfig: without fc-list nothing is known about the fonts.
var errNoFontconfig = errors.New("fc-list is not installed, so the fonts are not known")

func lookFonts(ctx context.Context) (string, error) {
	if _, err := exec.LookPath("fc-list"); err != nil {
		return "", errNoFontconfig
	}
	out, err := exec.CommandContext(ctx, "fc-list", ":lang=zh", "family").Output()
	if err != nil {
		return "", fmt.Errorf("fc-list: %w", err)
	}
	families := strings.Split(strings.TrimSpace(string(out)), "\n")
	if families[0] == "" {
		return "", errors.New("no font for Chinese")
	}
	first, _, _ := strings.Cut(families[0], ",")
	return fmt.Sprintf("%s and %d more for Chinese", first, len(families)-1), nil
}

// mendFonts asks for fontconfig first: with it the next run can tell whether fonts are missing.
func mendFonts(s System) string {
	if _, err := exec.LookPath("fc-list"); err != nil {
		return s.Install(Fontconfig)
	}
	return s.Install(Fonts)
}
