package explore

import (
	"context"
	"sync"

	"golang.org/x/sync/errgroup"
)

// inOrder works on 0 to n-1 with jobs workers and hands each result to take in the order of the
// numbers, one at a time. Workers run ahead of what was taken by a bounded stretch, so that
// results do not pile up. It ends early when take says false, when work fails (then with that
// error), or when ctx ends (then with its error); what was taken by then is 0 to some number
// without a gap.
//
//	work(worker, i)   0 2 1 4 3 …   whichever worker is free
//	take(i)           0 1 2 3 4 …
func inOrder[T any](
	ctx context.Context, n, jobs int,
	work func(ctx context.Context, worker, i int) (T, error), take func(i int, result T) bool,
) error {
	q := &queue[T]{n: n, ahead: 8 * jobs, done: map[int]T{}, take: take}
	q.moved = sync.NewCond(&q.mu)
	g, ctx := errgroup.WithContext(ctx)
	wake := context.AfterFunc(ctx, q.stop)
	defer wake()
	for worker := range jobs {
		g.Go(func() error {
			for {
				i, ok := q.next()
				if !ok {
					return ctx.Err()
				}
				r, err := work(ctx, worker, i)
				if err != nil {
					return err
				}
				q.put(i, r)
			}
		})
	}
	return g.Wait()
}

// queue gives numbers out and puts results back in order.
type queue[T any] struct {
	mu      sync.Mutex
	moved   *sync.Cond
	n       int
	ahead   int
	given   int // numbers below are with a worker or done
	taken   int // results below are taken
	done    map[int]T
	take    func(i int, result T) bool
	stopped bool
}

// next waits for a number to work on; false when there is none any more.
func (q *queue[T]) next() (int, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for !q.stopped && q.given < q.n && q.given >= q.taken+q.ahead {
		q.moved.Wait()
	}
	if q.stopped || q.given >= q.n {
		return 0, false
	}
	q.given++
	return q.given - 1, true
}

func (q *queue[T]) put(i int, r T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.done[i] = r
	for !q.stopped {
		r, ok := q.done[q.taken]
		if !ok {
			break
		}
		delete(q.done, q.taken)
		q.taken++
		q.stopped = !q.take(q.taken-1, r)
	}
	q.moved.Broadcast()
}

func (q *queue[T]) stop() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.stopped = true
	q.moved.Broadcast()
}
