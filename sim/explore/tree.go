package explore

import "context"

func (p *plan) tree(ctx context.Context, player *player, n int, t *Tally) error { return nil }
func (p *plan) mixes(ctx context.Context, player *player, n int, t *Tally) error { return nil }
func (p *plan) swarm() {}
