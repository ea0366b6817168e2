//go:build race

package virtual_test

const raceEnabled = true
