package page

import (
	"context"

	"bridgesim/bridge/page/probe"
	"bridgesim/bridge/point"
)

// Draft is the text in the composer. It only looks: what somebody types there stays as it is.
func (p *Page) Draft(ctx context.Context) (string, error) {
	c, err := ask(ctx, p, point.DiscoverTurns, probe.Composer, probe.None{})
	return c.Text, err
}
