// Package chromium runs scenarios on a real browser.
//
//	Pool ── one process for a suite ──┬─ Lease: browser context 1 ─► Dialer
//	  │                               └─ Lease: browser context 2 ─► Dialer
//	  └──── AcquireOwn: a process of its own, for scenarios that kill or freeze their browser
//
// A browser context has its own cookies, storage and permissions; the clipboard is one for the
// whole process (F504), so a scenario that reads it back must not share a process with another that
// writes.
package chromium
