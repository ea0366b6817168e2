package page

import (
	"context"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/page/probe"
	"bridgesim/bridge/point"
)

// mender is a browser that can attach to a tab whose renderer does not answer.
type mender interface {
	AttachBare(ctx context.Context, id browser.TargetID) (browser.Session, error)
}

// Mend brings a crashed or hanging tab back, by what is known to work from a new connection
// (readings 19): release a pending navigation, reload, go to another site and back. Each try counts
// only when an evaluate answers afterwards: a reload that reports success proves nothing (F234). A
// tab that stays dead is the loss that it was.
func Mend(
	ctx context.Context, b browser.Browser, id browser.TargetID, cfg Config, address string,
) error {
	m, ok := b.(mender)
	if !ok {
		return &browser.Loss{Kind: browser.TargetWedged}
	}
	cfg = cfg.withDefaults()
	cfg.op(point.Mend)
	call, cancel := cfg.Clock.WithTimeout(ctx, cfg.Tuning.CallDeadline)
	defer cancel()
	s, err := m.AttachBare(call, id)
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }() // leaving: the next attach is a session of its own
	for _, cure := range cures {
		if err = cure(ctx, s, cfg, address); err != nil {
			if _, lost := browser.AsLoss(err); lost && s.Lost() != nil && !crashed(s.Lost()) {
				return err
			}
			continue
		}
		if err = answers(ctx, s, cfg); err == nil {
			return nil
		}
	}
	return err
}

func crashed(err error) bool {
	l, ok := browser.AsLoss(err)
	return ok && l.Kind == browser.TargetCrashed
}

// cures are tried in order, from the gentlest on.
var cures = []func(context.Context, browser.Session, Config, string) error{
	func(ctx context.Context, s browser.Session, cfg Config, _ string) error {
		return cured(ctx, s, cfg, page.StopLoading.Method, cdp.Empty{})
	},
	func(ctx context.Context, s browser.Session, cfg Config, _ string) error {
		return cured(ctx, s, cfg, page.Reload.Method, page.ReloadParams{})
	},
	func(ctx context.Context, s browser.Session, cfg Config, address string) error {
		err := cured(ctx, s, cfg, page.Navigate.Method, page.NavigateParams{URL: "about:blank"})
		if err != nil {
			return err
		}
		return cured(ctx, s, cfg, page.Navigate.Method, page.NavigateParams{URL: address})
	},
}

func cured(ctx context.Context, s browser.Session, cfg Config, method string, params any) error {
	cfg.op(point.Mend)
	call, cancel := cfg.Clock.WithTimeout(ctx, cfg.Tuning.MendDeadline)
	defer cancel()
	return s.Call(call, method, params, nil)
}

// answers is the proof: the renderer evaluates our script.
func answers(ctx context.Context, s browser.Session, cfg Config) error {
	cfg.op(point.Mend)
	call, cancel := cfg.Clock.WithTimeout(ctx, cfg.Tuning.MendDeadline)
	defer cancel()
	return probe.DoInstall(call, s)
}
