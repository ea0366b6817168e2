package event

// entry is one thing that is due: a function to call or a process to resume.
type entry struct {
	at  int64  // nanoseconds since the epoch
	seq uint64 // order of scheduling; decides among equal times
	fn  func()
	p   *Proc
}

func (e *entry) before(o *entry) bool {
	return e.at < o.at || e.at == o.at && e.seq < o.seq
}

// queue is a 4-ary heap. Four children a node halve its depth against a binary heap, and entries
// lie in one slice, so pushing and popping allocate nothing once it has grown.
type queue []entry

func (q *queue) push(e entry) {
	h := append(*q, e)
	i := len(h) - 1
	for i > 0 {
		parent := (i - 1) / 4
		if !e.before(&h[parent]) {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = e
	*q = h
}

func (q *queue) pop() entry {
	h := *q
	top := h[0]
	n := len(h) - 1
	last := h[n]
	h[n] = entry{} // lets the closure go
	*q = h[:n]
	if n > 0 {
		h[:n].sink(last)
	}
	return top
}

// sink places e at the root and moves it down.
func (q queue) sink(e entry) {
	i := 0
	for {
		first := 4*i + 1
		if first >= len(q) {
			break
		}
		least := first
		for c := first + 1; c < first+4 && c < len(q); c++ {
			if q[c].before(&q[least]) {
				least = c
			}
		}
		if !q[least].before(&e) {
			break
		}
		q[i] = q[least]
		i = least
	}
	q[i] = e
}
