// Package trace reads the logs that people have of a browser that was driven over the DevTools
// Protocol, and finds the disconnect in them.
//
//	pw:protocol, puppeteer:*, chromedp, rod,          Log
//	ChromeDriver, js-debug, protocol monitor,  ──►    ├ Entries   one message each, in one form
//	HAR, netlog                                       ├ Losses    what broke, what was in flight,
//	   one file each, one table (format.go)           │           how sure, and why
//	                                                  └ Strange   lines that were not understood
//
// A log of another program is evidence, not truth, so three rules hold for every format. A time
// that the log does not give stays unknown: nothing is counted, spread or taken from a neighbour.
// A line that was not understood is kept with its number and with what was expected there. And a
// loss says how sure it is and by which line, so that a person can look.
//
// Bodies are not kept: of a message there is its method, its id, its session and how it ended.
// Texts that are kept went through package redact.
package trace
