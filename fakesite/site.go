package fakesite

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"bridgesim/bridge/clock"
)

// Config is what a site is made of. The zero value is a site with a careful persona and no waits.
type Config struct {
	Script  Script
	Timing  Timing
	Options Options
	Entropy clock.Entropy // ids; nil = a fixed seed
	Watch   func(*Entry)  // hears every entry of the ledger as it is made; may be nil
}

// Account is what the session endpoint tells. Without a login all fields are empty.
type Account struct {
	LoggedIn bool
	Name     string
	Email    string
	Token    string // bearer of the API
}

// Site is one account's ChatGPT. It is not safe for concurrent use: a server locks around it.
type Site struct {
	script  Script
	timing  Timing
	options Options
	entropy clock.Entropy

	account Account
	blocker Blocker
	all     []*Conversation // newest first
	listed  []*Conversation // those of the sidebar
	ledger  Ledger
	taken   int // sends so far, in the numbering of Nth
}

// New makes a site without conversations. Script.Validate and Options.Validate tell beforehand
// whether what they hold makes sense; New does not judge.
func New(cfg Config) *Site {
	if cfg.Entropy == nil {
		cfg.Entropy = clock.Seeded(1)
	}
	return &Site{
		ledger: Ledger{watch: cfg.Watch},
		script: cfg.Script, timing: cfg.Timing, options: cfg.Options, entropy: cfg.Entropy,
		account: Account{
			LoggedIn: true, Name: "Test Person", Email: "person@example.test",
			Token: clock.Hex(cfg.Entropy, 16),
		},
	}
}

// Find finds a conversation by its server id or by its transient client id ("WEB:" optional).
func (s *Site) Find(id string) *Conversation {
	id = strings.TrimPrefix(id, "WEB:")
	if id == "" {
		return nil
	}
	for _, c := range s.all {
		if c.ID == id || c.TransientID == id {
			return c
		}
	}
	return nil
}

// Conversations lists what the sidebar shows: newest first, temporary chats left out. The slice
// belongs to the site.
func (s *Site) Conversations() []*Conversation { return s.listed }

// Account is the account as the session endpoint tells it now.
func (s *Site) Account() Account {
	if s.blocker.LoggedOut() {
		return Account{}
	}
	return s.account
}

// Options returns the switches, which may be changed.
func (s *Site) Options() *Options { return &s.options }

// Timing is how fast the site is.
func (s *Site) Timing() Timing { return s.timing }

// Block sets what stands in the way; Unblocked lifts it.
func (s *Site) Block(b Blocker) { s.blocker = b }

// Blocked is what stands in the way.
func (s *Site) Blocked() Blocker { return s.blocker }

// Ledger is the site's own truth.
func (s *Site) Ledger() *Ledger { return &s.ledger }

// Stop ends the running answer of a conversation where it stands; without one it does nothing.
func (s *Site) Stop(now time.Time, conversation string) {
	c := s.Find(conversation)
	if c == nil {
		return
	}
	m := c.running(now)
	if m == nil {
		return
	}
	m.Text = m.TextAt(now)
	m.Course.stop(now)
	s.ledger.add(Entry{
		At: now, Kind: Halted, Conversation: c.ID, MessageID: m.Parent, AnswerID: m.ID, Text: m.Text,
	})
}

// Approve lets an answer go on that waits for a tool approval (Options.ToolApproval).
func (s *Site) Approve(now time.Time, conversation string) {
	c := s.Find(conversation)
	if c == nil {
		return
	}
	m := c.running(now)
	if m == nil || !m.Course.waits {
		return
	}
	m.Course.approve(now)
	if e := s.ledger.answer(m.ID); e != nil {
		e.Ending, e.Ends = m.Course.Ending(), m.Course.Ends()
	}
}

// Address is the path that a page which shows c has at a moment, and when it changes next:
//
//	"/?temporary-chat=true"  a temporary chat, for ever
//	"/"                      no address yet
//	"/c/WEB:<client id>"     Options.Transient, from the commit on
//	"/c/<id>"                from Timing.Address on, or with Options.NoAddress when the first
//	                         answer has ended
//
// Next is zero when it does not change any more, or when nobody knows yet (an answer without end).
func (s *Site) Address(c *Conversation, now time.Time) (path string, next time.Time) {
	if c.Temporary {
		return "/?temporary-chat=true", time.Time{}
	}
	final := s.addressFrom(c)
	if !final.IsZero() && !now.Before(final) {
		return "/c/" + c.ID, time.Time{}
	}
	if !s.options.Transient || c.TransientID == "" {
		return "/", final
	}
	commit := c.Created.Add(s.timing.Commit)
	if now.Before(commit) && (final.IsZero() || commit.Before(final)) {
		return "/", commit
	}
	return "/c/WEB:" + c.TransientID, final
}

func (s *Site) addressFrom(c *Conversation) time.Time {
	if !s.options.NoAddress {
		return c.Created.Add(s.timing.Address)
	}
	for _, m := range c.Messages {
		if m.Role == Assistant {
			return m.Course.Ends()
		}
	}
	return time.Time{}
}

// Edit replaces the text of a message in the record, behind everybody's back. The ledger keeps what
// was written. It is false when the record does not hold the message; so are the next two.
func (s *Site) Edit(conversation, messageID, text string) bool {
	c := s.Find(conversation)
	return c != nil && c.edit(messageID, text)
}

// Remove takes one message out of the record, as if it had never been there.
func (s *Site) Remove(conversation, messageID string) bool {
	c := s.Find(conversation)
	return c != nil && c.remove(messageID)
}

// Truncate takes everything behind a message out of the record.
func (s *Site) Truncate(conversation, messageID string) bool {
	c := s.Find(conversation)
	return c != nil && c.truncate(messageID)
}

// Delete removes a conversation: the server does not know it any more.
func (s *Site) Delete(conversation string) bool {
	c := s.Find(conversation)
	if c == nil {
		return false
	}
	gone := func(o *Conversation) bool { return o == c }
	s.all = slices.DeleteFunc(slices.Clone(s.all), gone)
	s.listed = slices.DeleteFunc(slices.Clone(s.listed), gone)
	return true
}

func (s *Site) open(now time.Time, p *Post) *Conversation {
	c := &Conversation{
		ID: clock.UUID(s.entropy), TransientID: p.TransientID, Title: s.options.Title,
		Temporary: p.Temporary, Created: now, Messages: make([]*Message, 0, 8),
	}
	if c.TransientID == "" && s.options.Transient {
		c.TransientID = clock.UUID(s.entropy)
	}
	if c.Title == "" {
		c.Title = "New chat"
	}
	s.all = slices.Insert(s.all, 0, c)
	if !c.Temporary {
		s.listed = slices.Insert(s.listed, 0, c)
	}
	return c
}

func turnID(c *Conversation) string {
	return "request-" + c.ID + "-" + strconv.Itoa(len(c.Messages)/2)
}
