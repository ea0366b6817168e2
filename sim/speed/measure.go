package speed

import (
	"fmt"
	"runtime"
	"slices"
	"time"
)

// Ratio is how complete runs compare with an empty engine.
type Ratio struct {
	Cost
	Run   time.Duration // median of a complete run
	Empty time.Duration // median of an empty one with as many events
}

// Share is the rate of complete runs as a part of the empty engine's.
func (r Ratio) Share() float64 { return float64(r.Empty) / float64(r.Run) }

// Rate is complete runs in a second on one core.
func (r Ratio) Rate() float64 { return float64(time.Second) / float64(r.Run) }

// Compare plays turns of runs, one of the player's and one of the empty engine in turn.
func Compare(p *Player, c Cost, turns, runs int) (Ratio, error) {
	e := NewEmpty()
	var full, empty []time.Duration
	for range turns {
		t, err := timed(emptyRuns*runs, func() error { return e.Run(int(c.Events)) })
		if err != nil {
			return Ratio{}, err
		}
		empty = append(empty, t)
		if t, err = timed(runs, p.play); err != nil {
			return Ratio{}, err
		}
		full = append(full, t)
	}
	return Ratio{c, median(full), median(empty)}, nil
}

func (p *Player) play() error {
	_, err := p.Play()
	return err
}

// emptyRuns make turns of both about as long: then the machine disturbs both alike.
const emptyRuns = 8

// timed is the time on a processor of one run of f, on average.
func timed(runs int, f func() error) (time.Duration, error) {
	from := spent()
	for range runs {
		if err := f(); err != nil {
			return 0, err
		}
	}
	return (spent() - from) / time.Duration(runs), nil
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}

// Memory is what one run takes from the heap.
type Memory struct{ Allocs, Bytes float64 }

// Allocated counts what a player's runs allocate, on average, once it has its memory.
func Allocated(p *Player, runs int) (m Memory, err error) {
	for range 2 * len(p.scripts) {
		err = p.play()
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range runs {
		if err == nil {
			err = p.play()
		}
	}
	runtime.ReadMemStats(&after)
	m.Allocs = float64(after.Mallocs-before.Mallocs) / float64(runs)
	m.Bytes = float64(after.TotalAlloc-before.TotalAlloc) / float64(runs)
	return m, err
}

// Point is one session on the curve over rounds.
type Point struct {
	Rounds int
	Cost
	Run time.Duration
}

// PerEvent is the time of one event.
func (p Point) PerEvent() time.Duration { return time.Duration(float64(p.Run) / p.Events) }

// Curve times sessions of 1, 2, 4 … most rounds, turn by turn. When an event costs the same in all
// of them, nothing in a run looks at all that was before.
func Curve(most, turns int) ([]Point, error) {
	var points []Point
	var players []*Player
	for n := 1; n <= most; n *= 2 {
		p, c, err := NewPlayer(Polled(n))
		if err != nil {
			return nil, err
		}
		defer p.Close()
		players, points = append(players, p), append(points, Point{Rounds: n, Cost: c})
	}
	times := make([][]time.Duration, len(points))
	for range turns {
		for i, p := range players {
			t, err := timed(max(1, 2*most/points[i].Rounds), p.play)
			if err != nil {
				return nil, err
			}
			times[i] = append(times[i], t)
		}
	}
	for i := range points {
		points[i].Run = median(times[i])
	}
	return points, nil
}

// Growth is the heap in use after few and after many runs of one Runner.
type Growth struct {
	Few, Many           int
	AfterFew, AfterMany uint64
}

// Factor is how much more is in use after many.
func (g Growth) Factor() float64 { return float64(g.AfterMany) / float64(g.AfterFew) }

// Grown plays the struck sessions again and again, as exploration does, on a few seeds.
func Grown(few, many int) (Growth, error) {
	g := Growth{Few: few, Many: many}
	scripts, err := Struck()
	if err != nil {
		return g, err
	}
	p, _, err := NewPlayer(scripts...)
	if err != nil {
		return g, err
	}
	defer p.Close()
	for i := 1; i <= many; i++ {
		s := p.scripts[p.next]
		s.Seed = uint64(i / len(p.scripts) % seeds)
		if err := p.play(); err != nil {
			return g, fmt.Errorf("run %d: %w", i, err)
		}
		if i == few {
			g.AfterFew = inUse()
		}
	}
	g.AfterMany = inUse()
	runtime.KeepAlive(p)
	return g, nil
}

// seeds is how many there are in turn.
const seeds = 8

func inUse() uint64 {
	runtime.GC()
	runtime.GC() // what the first one put aside
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse
}
