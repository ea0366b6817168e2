package doctor

import (
	"os"
	"os/exec"
	"strings"
	"unicode"
)

// System is how packages are installed on this machine.
type System struct {
	Manager string // name in the table of managers; "" when none was found
	Root    bool   // no sudo is needed
}

// Package names something that a package manager can install.
type Package string

// What doctor may ask for.
const (
	Browser    Package = "chromium"
	Fonts      Package = "cjk-fonts"
	Fontconfig Package = "fontconfig"
)

// managers is the table of package managers, looked for in this order.
var managers = []struct {
	name    string
	install string
	sudo    bool
	names   map[Package]string
}{
	{"apt-get", "apt-get install -y ", true, map[Package]string{
		Browser: "chromium", Fonts: "fonts-noto-cjk", Fontconfig: "fontconfig",
	}},
	{"dnf", "dnf install -y ", true, map[Package]string{
		Browser: "chromium", Fonts: "google-noto-sans-cjk-fonts", Fontconfig: "fontconfig",
	}},
	{"pacman", "pacman -S --noconfirm ", true, map[Package]string{
		Browser: "chromium", Fonts: "noto-fonts-cjk", Fontconfig: "fontconfig",
	}},
	{"apk", "apk add ", true, map[Package]string{
		Browser: "chromium", Fonts: "font-noto-cjk", Fontconfig: "fontconfig",
	}},
	{"brew", "brew install ", false, map[Package]string{
		Browser: "chromium", Fonts: "font-noto-sans-cjk", Fontconfig: "fontconfig",
	}},
}

// ThisSystem finds the package manager and whether we are root.
func ThisSystem() System {
	s := System{Root: os.Geteuid() == 0}
	for _, m := range managers {
		if _, err := exec.LookPath(m.name); err == nil {
			s.Manager = m.name
			break
		}
	}
	return s
}

// Install is the command that installs p.
func (s System) Install(p Package) string {
	for _, m := range managers {
		if m.name != s.Manager {
			continue
		}
		command := m.install + m.names[p]
		if m.sudo && !s.Root {
			command = "sudo " + command
		}
		return command
	}
	return "install " + string(p) + " with the package manager of this system"
}

// oneLine keeps what programs said from breaking or steering the report.
func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return unicode.IsControl(r)
	}), "; ")
}
