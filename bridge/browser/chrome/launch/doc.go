// Package launch finds a Chromium and runs it for tests and for sim: loopback port, own empty
// profile, own process group, and nothing left behind.
//
//	Launch ──► chromedp.ExecAllocator ──► chromium (own process group) ── renderers, …
//	              │                          ▲
//	              └─ reads "DevTools         │ context ends, Kill, Close, or our own death
//	                 listening on …"         └ (Pdeathsig): the group is killed, the folder removed
//
// chromedp starts the process: it knows the flags of automation, waits for the port and starts from
// a thread that lives as long as the browser, which Pdeathsig needs. It keeps one idle websocket of
// its own, on which it never attaches to a tab; it grants nothing, so it changes nothing (F131).
// All that a test does goes through package chrome and other connections.
//
// What a SIGKILL of our own process leaves is the temporary folder, never a process.
package launch
