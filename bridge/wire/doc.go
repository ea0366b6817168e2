// Package wire is pi-bridge/1 as text: what pi sends, what ChatGPT answers, and how either is read.
//
// It is pure. Nothing here does I/O, reads a clock or draws a random number, so the same text gives
// the same answer in the bridge, in the simulator and in a recording that is judged a year later.
//
// # Who answers what
//
//	pi sends                          ChatGPT answers            read by
//	──────────────────────────────    ───────────────────────    ─────────────────────
//	HELLO   once per conversation ──► HS   (ack)                 [Gate]
//	RESYNC  HELLO declared again  ──► HS   (ack)                 [Gate]
//	RESUME  CK and NEXT           ──► HS   (ack + CK + NEXT)     [GateResume]
//	ROUND   r=1 carries the request,
//	        r≥2 the last receipt  ──► PLAN (in one code block)   [CheckPlan]
//	REPAIR  same round, codes     ──► PLAN (same round again)    [CheckPlan]
//
// What pi sent earlier is read back from a conversation's history by [ParseMessage].
//
// # One text, four kinds of verdict
//
// A reply that cannot be used is not always the other side's fault. Each [Code] belongs to a
// [Domain], and the domain, not the code, says what pi does next ([Domain.Demand]):
//
//	remote  → REPAIR      the reply was obtained whole and breaks the format
//	version → RESYNC      reformatting cannot fix a version mismatch
//	local   → recapture   pi's own capture failed; no REPAIR, nobody else is to blame
//
// # What is tolerated and what is not
//
// The readers accept the noise that browsers, copy buttons and models add without changing what a
// line says: CRLF and CR, byte order marks, no-break and zero-width characters, trailing space,
// indentation of up to three columns, full-width colons, quotes around a value, any language tag,
// tildes, long fences, and shorter fences nested in a longer one. They never guess a missing or
// altered value: names, enumerations and hashes are compared exactly, and every refusal is a
// [Fault] with line and column. Inputs over [MaxInput] are refused; reading time is linear.
//
// # Values
//
// The authoritative values are the constants and builders of this package. The golden files in
// testdata are the samples printed in the specification, byte for byte.
package wire
