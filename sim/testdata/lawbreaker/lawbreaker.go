// Package lawbreaker breaks every law once; sim/laws_test.go checks that each is found.
package lawbreaker

import (
	"context"
	"maps"
	"math/rand/v2" // want import
	"time"
)

var table = map[string]int{"a": 1}

// Break does what code on the virtual engine must not do.
func Break(ctx context.Context, c chan int) int {
	now := time.Now                          // want time
	time.Sleep(time.Second)                  // want time
	<-time.After(time.Second)                // want time // want channel
	_, cancel := context.WithTimeout(ctx, 0) // want deadline
	defer cancel()
	go func() { c <- 1 }() // want goroutine // want channel
	select {               // want channel
	case n := <-c: // want channel
		return n
	default:
	}
	for n := range c { // want channel
		_ = n
	}
	sum := rand.Int()
	for _, n := range table { // want map
		sum += n
	}
	for k := range maps.Keys(table) { // want map
		sum += len(k)
	}
	close(c) // want channel
	return sum + now().Year()
}
