package virtual

import (
	"time"

	"bridgesim/bridge/page/probe"
	"bridgesim/fakesite"
)

// record reads the conversation from the server, with the page's own credentials. Logged out, or
// with an id that it does not know, the server answers 404: it masks, it does not say 401 (facts
// 10.1).
func (d *document) record(a probe.RecordArgs) probe.RecordState {
	s := probe.RecordState{Messages: []probe.RecordedMessage{}}
	if !d.site {
		return s // fetch has no site to ask
	}
	site := d.b.site
	s.LoggedIn = site.Account().LoggedIn
	c := site.Find(a.Conversation)
	s.Status = 404 // no id, no such address
	if a.Conversation != "" {
		s.Status = recordStatus(site, c)
	}
	if s.Status < 200 || s.Status > 299 {
		return s
	}
	if s.Status == 204 || s.Status == 205 { // an answer without a body says nothing
		s.Status = 0
		return s
	}
	if s.Status != 200 || site.Options().RecordEmpty {
		s.Found = a.After == ""
		return s
	}
	s.Complete = true
	w := recordWalk{now: d.b.now(), after: a.After, found: a.After == "", site: site}
	w.node(fakesite.RootID)
	w.node(c.ID + "-system")
	rest, known := c.After(a.After)
	if !known { // it names no message, but maybe a node between them
		rest = c.Messages
	} else if a.After != "" && a.After != fakesite.RootID {
		w.found, w.parent = true, a.After
	}
	if len(rest) > 0 {
		w.list = make([]probe.RecordedMessage, 0, len(rest))
	}
	for _, m := range rest {
		w.message(m)
	}
	s.Found = w.found
	if len(w.list) > 0 {
		s.Messages = w.list
	}
	return s
}

func recordStatus(site *fakesite.Site, c *fakesite.Conversation) int {
	o := site.Options()
	switch {
	case site.Blocked() == fakesite.BlockCaptcha:
		return 403
	case o.RecordStatus != 0 && o.RecordStatus != 200:
		return o.RecordStatus
	case !site.Account().LoggedIn:
		return 404
	case site.Blocked() == fakesite.BlockRate:
		return 429
	case c == nil || c.Temporary:
		return 404
	}
	return 200
}

// recordWalk goes down the current branch. Nodes that a person does not see stay links of the
// chain.
type recordWalk struct {
	list   []probe.RecordedMessage
	site   *fakesite.Site
	now    time.Time
	after  string
	found  bool
	parent string
}

// node passes a node that is not listed.
func (w *recordWalk) node(id string) { w.found = w.found || id == w.after }

func (w *recordWalk) message(m *fakesite.Message) {
	p := m.At(w.now)
	if m.Preamble != "" && p.State != fakesite.Waiting {
		w.add(probe.RecordedMessage{
			ID: m.ID + "-preamble", Role: string(fakesite.Assistant), Text: m.Preamble,
		})
	}
	text := m.Text[:p.Shown]
	if m.Role == fakesite.Assistant {
		text = w.site.Options().RecordedText(text)
	}
	if w.site.Options().Canvas && m.Role == fakesite.Assistant && text != "" {
		w.node(m.ID + "-document")
		text = canvasRemark
	}
	w.add(probe.RecordedMessage{
		ID: m.ID, Role: string(m.Role), Text: text,
		Finished: p.State == fakesite.Complete, Final: m.Role == fakesite.Assistant,
		Cut: p.State == fakesite.Stopped,
	})
}

func (w *recordWalk) add(m probe.RecordedMessage) {
	if w.found {
		m.Parent = w.parent
		w.list = append(w.list, m)
	}
	w.parent = m.ID
	w.node(m.ID)
}
