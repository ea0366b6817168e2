// Package replay records what the ports of a bridge gave it, and gives it to a bridge again.
//
//	record   bridge ◄──ports──► Recorder ◄──► the world of the run       every question and answer
//	                                │                                    becomes an event
//	                                ▼
//	                             history  (lane port, beside all others)
//	                                │
//	replay   bridge ◄──ports──► Player                no browser, no site, no clock of a machine
//
// A bridge gets everything through its ports: what the browser answers, what the store holds, what
// the agent says, what time it is, and its chance. Whoever gives it the same again gets the same
// run again, from whatever engine the recording is; a run on a real Chromium becomes one that any
// machine repeats within milliseconds. Times are the recorded ones: virtual time.
//
// The player compares what the bridge does with what was recorded, event by event: each question
// that it asks and each thing that it says of itself. What the world did in between (site, agent,
// faults) is taken from the recording. At the first event that differs the bridge is ended, and the
// Divergence shows both sides. A replay without one has the history of the recording, to the byte.
//
// A recording holds no secrets: cookies, authorization and tokens are marks (package redact), in
// what the bridge asked and in what it was answered. A run that depends on a secret, because its
// hash is in a message, cannot be replayed; Check says so when the recording is made.
package replay
