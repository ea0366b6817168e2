package bridge

import (
	"strings"

	"bridgesim/bridge/wire"
)

// denial says by which words a command shows that it needs a capability. It is pi's runtime truth,
// no error code: such a plan is valid, it is only not executed (readings 5).
type denial struct {
	capability string
	programs   []string // first word of a command
	phrases    []string // "program subcommand"
}

// denials is a table, not a parser of shells: it refuses what is plainly outside, before any effect,
// and leaves the rest to the agent's own guard.
var denials = []denial{
	{
		"net",
		[]string{"curl", "wget", "ssh", "scp", "rsync", "ftp", "sftp", "telnet", "nc", "ping", "dig"},
		[]string{
			"git push", "git pull", "git fetch", "git clone", "npm install", "npm publish", "npm ci",
			"pip install", "go get", "apt-get install", "docker pull", "docker push",
		},
	},
	{"gui", []string{"xdg-open", "open", "xdotool", "osascript"}, nil},
	{"account", []string{"passwd", "su"}, []string{"gh auth", "npm login", "docker login"}},
	{"remote.config", nil, []string{"git remote", "kubectl config", "gcloud config", "aws configure"}},
	{"remote.api", []string{"gh", "aws", "gcloud", "az", "kubectl", "terraform"}, nil},
}

// Refusal returns the first denied capability that the plan needs and the command that shows it.
func refusal(p wire.Plan, denied []string) (capability, command string) {
	for _, cmd := range p.Commands {
		words := strings.Fields(strings.Trim(cmd, "`$ "))
		for len(words) > 0 && (words[0] == "sudo" || strings.Contains(words[0], "=")) {
			words = words[1:]
		}
		if len(words) == 0 {
			continue
		}
		for _, d := range denials {
			if contains(denied, d.capability) && d.matches(words) {
				return d.capability, cmd
			}
		}
	}
	return "", ""
}

func (d denial) matches(words []string) bool {
	if contains(d.programs, words[0]) {
		return true
	}
	return len(words) > 1 && contains(d.phrases, words[0]+" "+words[1])
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}
