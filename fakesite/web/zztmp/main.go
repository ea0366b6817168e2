package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"bridgesim/bridge/clock"
	"bridgesim/fakesite"
	"bridgesim/fakesite/web"
)

func main() {
	t := fakesite.Typical()
	t.Load, t.Hydrate, t.Address = 0, 400*time.Millisecond, 1500*time.Millisecond
	say := fakesite.Move{Say: "Answer here.\n\n```go\nfunc main() {\n\tx()\n}\n```\n\nAnd **done**."}
	site := fakesite.New(fakesite.Config{Timing: t, Script: fakesite.Script{Handshake: []fakesite.Move{say, say, say}}})
	s, err := web.Start(web.Options{Site: site, Clock: clock.Wall(), TLS: true, Log: func(l string) { fmt.Println("LOG", l) }})
	if err != nil {
		panic(err)
	}
	dir, _ := os.MkdirTemp("", "orc")
	defer os.RemoveAll(dir)
	args := append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--user-data-dir=" + dir, "--remote-debugging-port=9344", "about:blank"}, s.ChromiumFlags()...)
	c := exec.Command("/usr/bin/chromium", args...)
	if err := c.Start(); err != nil {
		panic(err)
	}
	defer func() { c.Process.Kill(); c.Wait() }()
	time.Sleep(2 * time.Second)
	strategy := "ignore"
	if len(os.Args) > 1 {
		strategy = os.Args[1]
	}
	a := []string{"--engine", "browser", "--remote-chrome", "127.0.0.1:9344", "--chatgpt-url", "https://chatgpt.com/",
		"--model", "gpt-5.5", "--browser-model-strategy", strategy, "--no-notify", "--heartbeat", "5", "--verbose", "--force",
		"--browser-timeout", "30s", "--browser-follow-up", "# HELLO pi-bridge/1\nS: 9f83a7c1d42e650b\n\nsecond",
		"--browser-capture-provider-native",
		"-p", "# HELLO pi-bridge/1\nS: 9f83a7c1d42e650b\n\n  please   answer"}
	o := exec.Command("/tmp/oracle/node_modules/.bin/oracle", a...)
	o.Env = append(os.Environ(), "ORACLE_NO_DETACH=1", "ORACLE_HOME_DIR="+dir+"/o", "HOME="+dir, "CHROME_PATH=/bin/false")
	start := time.Now()
	out, err := o.CombinedOutput()
	fmt.Println(strings.TrimSpace(string(out)), err, time.Since(start))
	s.Do(func(_ time.Time, site *fakesite.Site) {
		for _, e := range site.Ledger().Entries() {
			fmt.Printf("%d %s %q\n", e.Seq, e.Kind, e.Text)
		}
	})
	fmt.Println(s.Close())
}
