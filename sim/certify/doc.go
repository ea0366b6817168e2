// Package certify answers "may I ship this bridge?" with evidence that somebody else can check.
//
//	Gates(profile) ──► steps: commands, each run once ──► evidence: what each printed, and its end
//	      │                                                     │
//	      └─────────── a gate judges evidence alone ◄───────────┘
//	                            │
//	                            ▼
//	Certificate: an in-toto Statement ── subjects: module, commit, binary, features, tables
//	             certificate.json, certificate.html, junit.xml, a summary for a build server
//
// A gate is data: what it proves, how, what of it is required, and a function that reads evidence.
// Its result has three values. NOT_VERIFIED says that the gate could not be run here, and why; it
// is never a pass, and a profile with a required gate of that value is not passed.
//
// Because judging reads nothing but evidence, [Verify] judges the evidence again: a certificate
// whose gate says PASS over evidence that says otherwise is named, as are a changed feature,
// another binary and other tables. There is no signature here: who can write the certificate and
// all its evidence can write what he likes. Sign certificate.json for that; it is a statement as
// signing tools take it.
//
// The package runs nothing and writes no files: [Options] brings a runner for the steps.
package certify
