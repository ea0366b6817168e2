// Package history is the record of one run: everything that happened, in order, with a rolling
// hash.
//
//	bridge  cdp  site  agent  store  fault  verdict  world  port   lanes
//	   └────┴────┴─────┴──┬───┴──────┴──────┴───────┘
//	                      ▼ Append (Seq is given here)
//	                     Log ──► rolling SHA-256 over canonical binary records ──► Sum
//	                      │
//	                      └──► NDJSON: header line, one line an event, end line with the sum
//
// The sum names a run: two runs with one sum are the same run, on every machine and architecture.
// It covers the header's identity and every event, and never the wall clock or the host. Payload
// bodies enter it by digest, so a recording without bodies has the sum of one with them.
package history
