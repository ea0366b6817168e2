package web

import (
	"time"

	"bridgesim/fakesite"
)

// view is everything that one document shows, apart from what a person typed, scrolled or closed in
// it. The page renders it and decides nothing.
type view struct {
	Title        string   `json:"title"`
	Hydrated     bool     `json:"hydrated"`
	Challenge    bool     `json:"challenge"`
	Frozen       bool     `json:"frozen"`
	Path         string   `json:"path"`
	Moves        int      `json:"moves"`
	Conversation string   `json:"conversation"`
	Parent       string   `json:"parent"`
	Temporary    bool     `json:"temporary"`
	Account      string   `json:"account"` // name of who is logged in
	Markup       markup   `json:"markup"`
	Send         send     `json:"send"`
	Commits      []string `json:"commits"`
	Draft        string   `json:"draft"`
	Wipe         bool     `json:"wipe"`
	Stop         bool     `json:"stop"`
	Stream       string   `json:"stream"` // user message whose answer is being written
	OtherStop    bool     `json:"otherStop"`
	History      []item   `json:"history"`
	Dialogs      []dialog `json:"dialogs"`
	Banner       string   `json:"banner"` // "", "cap" or "downgrade"
	Toast        string   `json:"toast"`
	Deferral     bool     `json:"deferral"`
	Approval     bool     `json:"approval"`
	Canvas       string   `json:"canvas"`
	Before       []string `json:"before"` // shells of turns above the mounted ones
	After        []string `json:"after"`

	turns []turn
}

// markup chooses among the DOM families.
type markup struct {
	Family string `json:"family"`
	Editor string `json:"editor"`
	Code   string `json:"code"`
	NBSP   bool   `json:"nbsp"`
}

type send struct {
	Disabled bool `json:"disabled"`
	Noop     int  `json:"noop"`
}

type item struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

type dialog struct {
	Kind string `json:"kind"`
	N    int    `json:"n"` // raised anew: a closed dialog opens again when N changes
}

// sidebarItems is how many conversations the sidebar shows.
const sidebarItems = 28

// stopTitle is the chat title of Options.OtherStop; no conversation has its id.
var stopTitle = item{ID: "00000000-0000-4000-8000-000000000000", Title: "Stop the leak"}

// look computes what d shows now and notes in h when that changes by itself.
func (s *Server) look(d *document, h *horizon) *view {
	if d.frozen && d.view != nil {
		d.view.Frozen = true
		return d.view
	}
	o, blocked := s.site.Options(), s.site.Blocked()
	v := &view{
		Title: "ChatGPT", Challenge: blocked == fakesite.BlockCaptcha, Moves: d.moves, Path: d.path,
		Hydrated: due(s.hydrated(d), 0, h),
		Markup:   markup{Family: o.Family, Editor: o.Editor, Code: o.CodeView, NBSP: o.NBSP},
		Send:     send{Disabled: blocked == fakesite.BlockCap, Noop: o.SendNoop},
	}
	s.lookAtConversation(d, v, h)
	if !v.Hydrated {
		v.turns, v.Stop = nil, false
		return v
	}
	s.lookAtAccount(v, o)
	s.lookAtComposer(d, v, h)
	s.lookAtBlocker(d, v, blocked)
	v.OtherStop, v.Toast = o.OtherStop, d.toast
	if v.Toast == "" && d.missing != "" {
		v.Toast = "Unable to load conversation " + d.missing
	}
	return v
}

// lookAtConversation fills address, turns and what runs.
func (s *Server) lookAtConversation(d *document, v *view, h *horizon) {
	v.Temporary = d.temporary()
	s.commit(d, v, h)
	c := s.show(d)
	if c == nil {
		v.turns, v.Before, v.After = s.mount(d, s.visible(d, nil, h), h)
		return
	}
	if len(v.Commits) > 0 || len(d.sends) == 0 {
		s.lookAtAddress(d, c, v, h)
	}
	v.Title, v.Conversation = c.Title, c.ID
	if last := c.Last(); last != nil {
		v.Parent = last.ID
	}
	if d.guest && !s.site.Account().LoggedIn {
		return
	}
	turns := s.visible(d, c, h)
	s.lookAtRun(v, turns, h)
	v.turns, v.Before, v.After = s.mount(d, turns, h)
}

// commit lists the sends of d whose moment has come.
func (s *Server) commit(d *document, v *view, h *horizon) {
	for _, p := range d.sends {
		if !p.blind && s.committed(p, h) {
			v.Commits = append(v.Commits, p.client)
		}
	}
}

func (s *Server) committed(p sent, h *horizon) bool {
	at := p.at.Add(s.site.Timing().Commit)
	h.add(at)
	return !at.After(h.now)
}

func (s *Server) lookAtAddress(d *document, c *fakesite.Conversation, v *view, h *horizon) {
	path, next := s.site.Address(c, h.now)
	h.add(next)
	if path != "/" {
		d.path = path
	}
	v.Path = d.path
}

func (s *Server) lookAtAccount(v *view, o *fakesite.Options) {
	account := s.site.Account()
	if !account.LoggedIn && s.site.Blocked() != fakesite.BlockExpired {
		return
	}
	v.Account = account.Name
	if v.Account == "" {
		v.Account = "Account"
	}
	for _, c := range s.site.Conversations() {
		if len(v.History) == sidebarItems {
			break
		}
		v.History = append(v.History, item{ID: c.ID, Title: c.Title})
	}
	if o.OtherStop {
		v.History = append(v.History, stopTitle)
	}
}

// lookAtComposer fills what the page itself does to the composer.
func (s *Server) lookAtComposer(d *document, v *view, h *horizon) {
	o, from := s.site.Options(), s.hydrated(d)
	if o.DraftRestored != "" && due(from, o.DraftAfter, h) {
		v.Draft = o.DraftRestored
	}
	v.Wipe = o.LateWipe > 0 && due(from, o.LateWipe, h)
}

func due(from time.Time, after time.Duration, h *horizon) bool {
	at := from.Add(after)
	h.add(at)
	return !at.After(h.now)
}

// lookAtBlocker fills dialogs and banners; the challenge takes the whole page instead.
func (s *Server) lookAtBlocker(d *document, v *view, b fakesite.Blocker) {
	switch b {
	case fakesite.BlockLogin:
		if d.toasts > 0 {
			v.Dialogs = append(v.Dialogs, dialog{Kind: "no-auth", N: d.toasts})
		}
	case fakesite.BlockExpired:
		v.Dialogs = append(v.Dialogs, dialog{Kind: "expired"})
	case fakesite.BlockRate:
		if !s.site.Options().NoRateDialog {
			v.Dialogs = append(v.Dialogs, dialog{Kind: "rate", N: d.toasts})
		}
	case fakesite.BlockAccount:
		v.Dialogs = append(v.Dialogs, dialog{Kind: "account"})
	case fakesite.BlockCap:
		v.Banner = "cap"
	case fakesite.BlockDowngrade:
		v.Banner = "downgrade"
	}
}
