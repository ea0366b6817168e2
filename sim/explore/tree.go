package explore

import "context"

func (w *worker) tree(ctx context.Context) error  { return nil }
func (w *worker) mixes(ctx context.Context) error { return nil }
func (p *plan) swarm()                            {}
