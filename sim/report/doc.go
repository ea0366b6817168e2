// Package report shows runs to a person: it reads histories and renders one HTML file.
//
//	Run: what a runner says + its history ──► Write ──► one file, no network
//	            │
//	            ├ the summary, rows × engines       written by the template
//	            └ faults, decisions, conversation,  JSON beside it; a small script draws what is
//	              events with each text once        looked at, when it is looked at
//
// The file is whole: script and style stand in it, and its Content-Security-Policy lets nothing
// else run and nothing be loaded. What a history says is text from outside: the template escapes
// it, and the script writes it as text, never as markup.
//
// The events of a run are numbers into one list of texts, so that a hundred thousand of them stay a
// few megabytes; the page draws the timeline on a canvas and holds only the visible lines.
//
// What is derived here (which stages are one fault, what a bridge decided and what the world
// expected, who said what) comes from the history alone, as it does for the oracles.
package report
