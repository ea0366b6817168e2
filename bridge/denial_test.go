package bridge_test

import (
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"pgregory.net/rapid"

	"bridgesim/bridge"
	"bridgesim/bridge/wire"
)

func refused(entry string, denied ...string) string {
	if denied == nil {
		denied = wire.DefaultDenials()
	}
	capability, command := bridge.Refusal(wire.Plan{Commands: []string{"ls -l", entry}}, denied)
	if capability != "" {
		ExpectWithOffset(1, command).To(Equal(entry), "the command that shows it")
	}
	return capability
}

var _ = Describe("What is denied", func() {
	DescribeTable("a command needs a capability, or only looks like it",
		func(entry, capability string) { Expect(refused(entry)).To(Equal(capability)) },
		Entry(nil, "curl https://example.org/x.tgz", "net"),
		Entry(nil, "curling --version", ""),
		Entry(nil, "grep -rn curl src", ""),
		Entry(nil, "cat docs/curl.md", ""),
		Entry(nil, "git push origin main", "net"),
		Entry(nil, "git stash push", ""),
		Entry(nil, "git log --grep push", ""),
		Entry(nil, "git commit -m 'then git push'", ""),
		Entry(nil, "npm i", "net"),
		Entry(nil, "npm install left-pad", "net"),
		Entry(nil, "npm run install-hooks", ""),
		Entry(nil, "npm test", ""),
		Entry(nil, "python3 -m pip install requests", "net"),
		Entry(nil, "python3 -m pip list", ""),
		Entry(nil, "go install ./cmd/x@latest", "net"),
		Entry(nil, "go test ./...", ""),
		Entry(nil, "open report.html", "gui"),
		Entry(nil, "xdg-open report.html", "gui"),
		Entry(nil, "openssl version", ""),
		Entry(nil, "./open report.html", ""),
		Entry(nil, "sed -n /open/p main.go", ""),
		Entry(nil, "passwd root", "account"),
		Entry(nil, "su -c id", "account"),
		Entry(nil, "sum file", ""),
		Entry(nil, "grep root /etc/passwd", ""),
		Entry(nil, "gh auth login", "account"),
		Entry(nil, "npm login", "account"),
		Entry(nil, "npm run login", ""),
		Entry(nil, "git remote add up https://example.org/x.git", "remote.config"),
		Entry(nil, "git remote set-url origin x", "remote.config"),
		Entry(nil, "git remote -v", ""),
		Entry(nil, "git config user.name x", ""),
		Entry(nil, "kubectl config use-context prod", "remote.config"),
		Entry(nil, "kubectl apply -f deploy.yaml", "remote.api"),
		Entry(nil, "gh pr create", "remote.api"),
		Entry(nil, "terraform apply", "remote.api"),
		Entry(nil, "ghc Main.hs", ""),
		Entry(nil, "cat kubectl.md", ""),
		Entry(nil, "无", ""),
		Entry(nil, "", ""),
	)

	DescribeTable("nothing in front hides a command",
		func(entry string) { Expect(refused(entry)).To(Equal("net")) },
		Entry(nil, "git   push"),
		Entry(nil, "git\tpush"),
		Entry(nil, "git\u00a0push"),
		Entry(nil, "git \\\n  push"),
		Entry(nil, "git -C sub push"),
		Entry(nil, "git -c user.name=x --no-pager push"),
		Entry(nil, "npm --prefix web install"),
		Entry(nil, "sudo curl x"),
		Entry(nil, "sudo -E curl x"),
		Entry(nil, "sudo -u app -- curl x"),
		Entry(nil, "FOO=1 curl x"),
		Entry(nil, "FOO=1 BAR= sudo -E env -i BAZ='a b' curl x"),
		Entry(nil, "timeout -k 5 30 curl x"),
		Entry(nil, "nice -n 5 nohup curl x"),
		Entry(nil, "/usr/bin/curl x"),
		Entry(nil, `\curl x`),
		Entry(nil, `"curl" x`),
		Entry(nil, `cu'rl' x`),
		Entry(nil, "$ curl x"),
		Entry(nil, "`curl x`"),
		Entry(nil, "`npm test` 然后 `curl x`"),
		Entry(nil, "`curl x`（下载）"),
		Entry(nil, "```sh\ncurl x\n```"),
	)

	DescribeTable("every command of a chain counts",
		func(entry string) { Expect(refused(entry)).To(Equal("net")) },
		Entry(nil, "npm test && curl x"),
		Entry(nil, "npm test&&curl x"),
		Entry(nil, "npm test || curl x"),
		Entry(nil, "npm test; curl x"),
		Entry(nil, "npm test\ncurl x"),
		Entry(nil, "npm test & curl x"),
		Entry(nil, "cat list | xargs -n 1 curl"),
		Entry(nil, "cat x | curl -d @- y"),
		Entry(nil, "(cd sub && curl x)"),
		Entry(nil, "{ curl x; }"),
		Entry(nil, "if curl x; then echo ok; fi"),
		Entry(nil, "if true; then curl x; fi"),
		Entry(nil, "for u in a b; do curl $u; done"),
		Entry(nil, "while ! curl x; do sleep 1; done"),
		Entry(nil, "find . -name '*.url' -exec curl {} \\;"),
		Entry(nil, `bash -c "curl x"`),
		Entry(nil, `bash -lc 'cd sub && curl x'`),
		Entry(nil, `sudo sh -c "npm test; sh -c 'curl x'"`),
		Entry(nil, `bash -o pipefail -c "cat x | curl y"`),
		Entry(nil, `eval "curl x"`),
		Entry(nil, "x=$(curl y)"),
		Entry(nil, `echo "$(curl y)"`),
		Entry(nil, "echo \"`curl y` $(date)\""),
		Entry(nil, "diff <(curl x) y"),
		Entry(nil, "echo it's done; curl x"),
		Entry(nil, "npm test # first\ncurl x"),
	)

	DescribeTable("what only names a command starts nothing",
		func(entry string) { Expect(refused(entry)).To(BeEmpty()) },
		Entry(nil, `echo "run curl x && git push"`),
		Entry(nil, `grep -n 'curl x; git push' docs/a.md`),
		Entry(nil, "npm test # then curl x"),
		Entry(nil, "git commit -m \"curl\" -- curl"),
		Entry(nil, "FOO=curl npm test"),
		Entry(nil, "sudo -u curl npm test"),
		Entry(nil, "timeout 30 npm test"),
		Entry(nil, `bash -c "echo 'curl x'"`),
		Entry(nil, "bash scripts/curl.sh"),
	)

	It("names the capability and a hit for every line of the table", func() {
		table := bridge.Denials()
		for i, d := range table {
			for _, c := range d.Commands {
				Expect(refused(c+" x", d.Capability)).To(Equal(d.Capability), c)
				for _, earlier := range table[:i] {
					Expect(bridge.Needed(strings.Fields(c), []string{earlier.Capability})).To(BeEmpty(),
						"%q in %s is hidden by %s", c, d.Capability, earlier.Capability)
				}
			}
		}
		for _, capability := range wire.DefaultDenials() {
			Expect(table).To(ContainElement(HaveField("Capability", capability)))
		}
	})

	DescribeTable("what pi can do by default may be denied as well",
		func(p wire.Plan, denied, shown string) {
			capability, entry := bridge.Refusal(p, []string{denied})
			Expect(entry).To(Equal(shown))
			Expect(capability == denied).To(Equal(shown != ""))
		},
		Entry(nil, wire.Plan{Commands: []string{"无", "ls"}}, "shell.local", "ls"),
		Entry(nil, wire.Plan{Commands: []string{"无"}, Files: []string{"a :: b"}}, "shell.local", ""),
		Entry(nil, wire.Plan{Files: []string{"a :: b"}}, "file.write", "a :: b"),
		Entry(nil, wire.Plan{Files: []string{"none"}, Commands: []string{"ls"}}, "file.write", ""),
		Entry(nil, wire.Plan{Commands: []string{"git -C sub status"}}, "git.local", "git -C sub status"),
		Entry(nil, wire.Plan{Commands: []string{"cat .gitignore", "gitk"}}, "git.local", ""),
		Entry(nil, wire.Plan{Commands: []string{"npm ci && npm test"}}, "test.repo",
			"npm ci && npm test"),
		Entry(nil, wire.Plan{Commands: []string{"test -f x", "npm run testbed"}}, "test.repo", ""),
	)

	It("refuses nothing that is not denied", func() {
		for _, d := range bridge.Denials() {
			for _, c := range d.Commands {
				Expect(refused(c+" x", "something-else")).To(BeEmpty(), c)
			}
		}
	})

	It("finds the one denied command in any chain, and none where there is none", func() {
		rapid.Check(GinkgoTB(), func(t *rapid.T) {
			plain := rapid.SampledFrom([]string{
				"npm test", "echo 'curl x'", "FOO=1 ls -la", "git -C a status", "true", "x=1",
			})
			joint := rapid.SampledFrom([]string{" && ", ";", " | ", "\n", " || ", "&", " ;\t"})
			front := rapid.SliceOfN(rapid.SampledFrom([]string{
				"sudo ", "FOO=1 ", "env -i ", "timeout 3 ", "nice -n 5 ", "\t", "( ", "bash -c ",
			}), 0, 4)
			line, denied := "", rapid.Bool().Draw(t, "denied")
			n := rapid.IntRange(1, 4).Draw(t, "commands")
			at := rapid.IntRange(0, n-1).Draw(t, "at")
			for i := range n {
				if i > 0 {
					line += joint.Draw(t, "joint")
				}
				line += strings.Join(front.Draw(t, "front"), "")
				if i == at && denied {
					line += "wget"
				} else {
					line += plain.Draw(t, "plain")
				}
			}
			if got := refused(line) == "net"; got != denied {
				t.Fatalf("%q: refused %t", line, got)
			}
		})
	})
})

func FuzzStarted(f *testing.F) {
	for _, seed := range []string{`sudo -E sh -c "curl x"`, "a\\", `"`, "'", "$(`", "-exec", "x='"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, entry string) {
		for _, words := range bridge.Started(entry) {
			if len(words) == 0 {
				t.Fatal("a command without words")
			}
			bridge.Needed(words, wire.DefaultDenials())
		}
	})
}
