package mutants

// Backstops are the oracles that no mutant proves alone, each with its reason.
var Backstops = map[string]string{}
