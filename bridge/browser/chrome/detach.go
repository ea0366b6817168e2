package chrome

import (
	"context"
	"errors"
	"slices"

	"github.com/chromedp/cdproto/target"

	"bridgesim/bridge/browser"
)

var errDetached = errors.New("the browser reports Target.detachedFromTarget")

// detached opens the judgement on a session that the browser ended. One that we closed ourselves is
// not listed any more.
func (c *conn) detached(id target.SessionID) {
	c.mu.Lock()
	s := c.sessions[id]
	if s != nil {
		s.judging = true
	}
	c.mu.Unlock()
	if s != nil {
		c.wg.Go(func() { c.judge(s) })
	}
}

// judge says what a detach means. A browser that goes down detaches first (F254, F255, D93), so the
// connection gets a moment to end; then the list of targets decides between the tab and the
// session.
func (c *conn) judge(s *Session) {
	ctx, cancel := wall.WithTimeout(c.life, detachGrace)
	<-ctx.Done()
	cancel()
	if c.life.Err() != nil {
		return // fail has told the session: the connection is gone
	}
	ctx, cancel = wall.WithTimeout(c.life, askLimit)
	defer cancel()
	infos, err := c.targets(ctx)
	switch {
	case c.life.Err() != nil:
	case err != nil:
		s.end(&browser.Loss{Kind: browser.SessionStale, Cause: errors.Join(errDetached, err)})
	case slices.ContainsFunc(infos, func(i *target.Info) bool {
		return browser.TargetID(i.TargetID) == s.target
	}):
		s.end(&browser.Loss{Kind: browser.SessionStale, Cause: errDetached})
	default:
		s.end(&browser.Loss{Kind: browser.TargetClosed, Cause: errDetached})
	}
}

func (c *conn) targets(ctx context.Context) ([]*target.Info, error) {
	var r target.GetTargetsResult
	err := c.command(ctx, nil, target.CommandGetTargets, target.GetTargetsParams{}, &r)
	return r.TargetInfos, err
}
