//go:build race

package speed_test

const raceEnabled = true
