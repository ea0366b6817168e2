package bridge

import (
	"strings"

	"bridgesim/bridge/wire"
)

// denial says by which commands a plan shows that it needs a capability. It is pi's runtime truth,
// no error code: such a plan is valid, it is only not executed (readings 5).
type denial struct {
	capability string
	commands   []string // program, or program and subcommands; options between them do not count
}

// denials is a table, not a parser of shells: it refuses what is plainly outside, before any
// effect, and leaves the rest to the agent's own guard. The first line that fits names the
// capability.
var denials = []denial{
	{"account", []string{
		"passwd", "su", "chsh", "adduser", "useradd", "usermod", "gh auth", "npm login", "npm adduser",
		"docker login", "gcloud auth", "az login", "aws sso",
	}},
	{"remote.config", []string{
		"git remote add", "git remote remove", "git remote rm", "git remote rename",
		"git remote set-url", "kubectl config", "gcloud config", "aws configure", "gh secret",
		"gh variable",
	}},
	{"remote.api", []string{"gh", "aws", "gcloud", "az", "kubectl", "helm", "terraform"}},
	{"gui", []string{"xdg-open", "open", "xdotool", "osascript"}},
	{"net", []string{
		"curl", "wget", "ssh", "scp", "sftp", "rsync", "ftp", "telnet", "nc", "ncat", "ping", "dig",
		"nslookup", "git push", "git pull", "git fetch", "git clone", "git ls-remote",
		"git remote update", "git submodule update", "npm install", "npm i", "npm ci", "npm add",
		"npm update", "npm publish", "yarn add", "yarn install", "pnpm add", "pnpm install",
		"pip install", "pip download", "pip3 install", "python pip install", // python -m pip install
		"python3 pip install", "go get", "go install", "go mod download", "cargo install",
		"cargo publish", "gem install", "brew install", "apt install", "apt update",
		"apt-get install", "apt-get update", "docker pull", "docker push",
	}},
	{"git.local", []string{"git"}},
	{"test.repo", []string{
		"npm test", "npm run test", "yarn test", "pnpm test", "npx jest", "npx vitest", "jest", "vitest",
		"go test", "cargo test", "pytest", "python pytest", "python3 pytest", "make test", "mvn test",
		"gradle test", "rspec", "phpunit",
	}},
}

// wholesale are the capabilities that a plan needs by having a section at all.
const (
	shellLocal = "shell.local" // any command
	fileWrite  = "file.write"  // any file
)

// unenforceable returns the first denial that pi has no way to enforce: it must not be promised.
func unenforceable(denied []string) string {
	for _, name := range denied {
		known := name == shellLocal || name == fileWrite
		for _, d := range denials {
			known = known || d.capability == name
		}
		if !known {
			return name
		}
	}
	return ""
}

// enforceable lists what can be denied.
func enforceable() []string {
	names := []string{shellLocal, fileWrite}
	for _, d := range denials {
		names = append(names, d.capability)
	}
	return names
}

// valued are the options of programs in the table that take the next word as their value.
var valued = map[string][]string{
	"git":    {"-C", "-c", "--git-dir", "--work-tree", "--namespace"},
	"npm":    {"-C", "--prefix", "-w", "--workspace"},
	"docker": {"-H", "--host", "-c", "--context", "--config"},
	"go":     {"-C"},
}

// prefix is a word that starts the command behind it.
type prefix struct {
	valued   []string // its options that take the next word as their value
	operands int      // words of its own before the command
}

var prefixes = map[string]prefix{
	"sudo":    {valued: []string{"-u", "-g", "-h", "-p", "-C", "-D", "-T", "--user", "--group"}},
	"doas":    {valued: []string{"-u", "-C"}},
	"env":     {valued: []string{"-u", "-C", "--unset", "--chdir"}},
	"timeout": {valued: []string{"-s", "-k", "--signal", "--kill-after"}, operands: 1},
	"nice":    {valued: []string{"-n", "--adjustment"}},
	"xargs":   {valued: []string{"-n", "-I", "-P", "-L", "-d", "-a", "-s", "-E"}},
	"stdbuf":  {valued: []string{"-i", "-o", "-e"}},
	"watch":   {valued: []string{"-n", "--interval"}},
	"nohup":   {}, "setsid": {}, "time": {}, "exec": {}, "command": {}, "builtin": {}, "eval": {},

	"bash": {valued: []string{"-o", "-O"}}, "sh": {valued: []string{"-o"}},
	"dash": {valued: []string{"-o"}}, "zsh": {valued: []string{"-o"}}, "ksh": {valued: []string{"-o"}},

	"if": {}, "then": {}, "elif": {}, "else": {}, "while": {}, "until": {}, "do": {}, "!": {}, "{": {},
	"$": {}, // a prompt that was copied along
}

// refusal returns the first denied capability that the plan needs and the command that shows it.
func refusal(p wire.Plan, denied []string) (capability, command string) {
	if file := wire.FirstEffect(p.Files); file != "" && contains(denied, fileWrite) {
		return fileWrite, file
	}
	if cmd := wire.FirstEffect(p.Commands); cmd != "" && contains(denied, shellLocal) {
		return shellLocal, cmd
	}
	for _, entry := range p.Commands {
		for _, words := range started(entry) {
			if c := needed(words, denied); c != "" {
				return c, entry
			}
		}
	}
	return "", ""
}

// needed is the first denied capability that a command needs, or "".
func needed(words, denied []string) string {
	text := strings.Join(operands(words), " ") + " "
	for _, d := range denials {
		if !contains(denied, d.capability) {
			continue
		}
		for _, c := range d.commands {
			if strings.HasPrefix(text, c+" ") {
				return d.capability
			}
		}
	}
	return ""
}

// operands are program and arguments without options and their values.
func operands(words []string) []string {
	program := programName(words[0])
	out := []string{program}
	for rest := words[1:]; len(rest) > 0; rest = rest[1:] {
		if rest = skipOptions(rest, valued[program]); len(rest) == 0 {
			break
		}
		out = append(out, rest[0])
	}
	return out
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}
