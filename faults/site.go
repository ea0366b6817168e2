package faults

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"bridgesim/bridge/point"
	"bridgesim/fakesite"
)

// sitesTable are the faults of the other side. They are done to the site itself, the same one on
// every engine, so the two columns say the same.
var sitesTable = []Info{
	blocker(Captcha, "a challenge stands in place of the page"),
	blocker(Logout, "nobody is logged in any more"),
	blocker(RateLimit, "too many requests: a dialog stands and sends are refused"),
	blocker(UsageCap, "the cap of the model is reached: sends are refused"),
	blocker(AccountBlock, "suspicious activity: the account is blocked"),
	onSend(
		ServerError,
		"the next send gets a 500, and nothing was accepted",
		always(
			Stop,
			"a site error on the send is ambiguous and the fence was used: unknown, re-read until "+
				"the budget ends, then a person decides (readings 9)",
		),
	),
	onSend(Accepted500, "the next send gets a 500, and it was accepted and is answered",
		func(a point.Address, _ Params) (Duty, string) {
			if a.Round == 0 {
				return Either, "in round 0 both HELLO and ROUND 1 are typed: after a refused first message " +
					"the page shows no address, and only a bridge that finds the conversation otherwise " +
					"can go on"
			}
			return Complete, "the record has our turn: it was sent, and its answer is read"
		}),
	{
		Kind: CutStream, Family: SiteFault,
		Sentence: "the next answer, or the one that is being written, ends in the middle",
		Virtual:  "Faults.FailMid for the next send; Site.Stop while one is written",
		Chromium: "the same, on the served site",
		manner:   sites,
		where: func(p *place, ph point.Phase) bool {
			return sending(p, ph) || p.op == point.WaitPoll && ph != point.Late
		},
		duty: cutStream,
	},
	onSend(
		NeverAnswers,
		"the next message is taken and its answer never comes",
		always(
			Stop,
			"no message goes out while a turn is unfinished: wait until the limit, then row 13 or 14",
		),
	),
	onSend(
		DropMessage,
		"the next send gets a good reply, and the message is in no record",
		always(
			Stop,
			"it cannot be proven not sent and no answer comes: re-read until the budget ends",
		),
	),
	history(EditHistory, "the last answer of the record is another text now",
		Param{"text", editedText, "the new text"}),
	history(CutHistory, "the record ends earlier: the last exchanges are gone"),
	history(MissingTurn, "one exchange is missing from the record"),
	switchOf(CopyBroken, "copy buttons write nothing", "CopyBroken"),
	switchOf(CopyStale, "copy buttons write what an earlier answer held", "CopyStale"),
	{
		Kind: RecordDown, Family: SiteFault,
		Sentence: "the conversation record cannot be read for a while (503)",
		Params:   params(forParam("1m", "on the site's clock")),
		Virtual:  "Options.RecordStatus", Chromium: "the same, on the served site",
		defaults: Params{For: time.Minute}, manner: sites, where: withBrowser,
		duty: always(
			Complete,
			"page and copy button agree without it, and it can be read again later",
		),
	},
}

const editedText = "(this message was edited)"

// blockers are the site's own words for the kinds.
var blockers = []struct {
	kind    Kind
	blocker fakesite.Blocker
}{
	{Captcha, fakesite.BlockCaptcha},
	{Logout, fakesite.BlockLogin},
	{RateLimit, fakesite.BlockRate},
	{UsageCap, fakesite.BlockCap},
	{AccountBlock, fakesite.BlockAccount},
}

func blockerOf(k Kind) (fakesite.Blocker, bool) {
	for _, b := range blockers {
		if b.kind == k {
			return b.blocker, true
		}
	}
	return fakesite.Unblocked, false
}

func blocker(k Kind, sentence string) Info {
	b, _ := blockerOf(k)
	does := fmt.Sprintf("Site.Block(%q)", b)
	return Info{
		Kind: k, Family: SiteFault, Sentence: sentence,
		Params: params(
			forParam("", "until a person helped, on the site's clock; none: nobody does"),
		),
		Virtual: does, Chromium: does + ", on the served site",
		manner: sites, where: withBrowser, duty: blockerDuty,
	}
}

// blockerDuty: row 12, unless what is left needs the site no more.
func blockerDuty(a point.Address, _ Params) (Duty, string) {
	switch m := momentAt(a); {
	case m == leaving:
		return Complete, "the session has ended"
	case m == capturing && a.Round > 0:
		return Either, "the reply may be in hand already; when it says done, nothing needs the site " +
			"any more"
	}
	return Stop, "row 12: give up; after a person helped, --resume goes on"
}

// sending: the operation comes before a send, so "the next send" is this message.
func sending(p *place, ph point.Phase) bool {
	switch p.op {
	case point.GuardCheck, point.SendBaseline, point.SendFocus, point.SendEmpty, point.SendInsert,
		point.SendFence, point.SendGuard:
		return ph != point.Late
	case point.SendSubmit:
		return ph == point.Before
	}
	return false
}

func onSend(k Kind, sentence string, duty func(point.Address, Params) (Duty, string)) Info {
	return Info{
		Kind: k, Family: SiteFault, Sentence: sentence,
		Virtual: "fakesite.Faults for the next send", Chromium: "the same, on the served site",
		manner: sites, where: sending, duty: duty,
	}
}

func cutStream(a point.Address, _ Params) (Duty, string) {
	switch {
	case a.Round > 0:
		return Complete, "the turn ended without a reply: the round is closed and the next one follows " +
			"(readings 15)"
	case momentAt(a) == free:
		return Either, "in round 0 both HELLO and ROUND 1 are typed: a cut acknowledgement is a " +
			"person's matter, a cut PLAN closes its round"
	}
	return Stop, "HELLO's answer is no acknowledgement, and HS replies never get a REPAIR"
}

func history(k Kind, sentence string, more ...Param) Info {
	return Info{
		Kind: k, Family: SiteFault, Sentence: sentence,
		Params:  append(more, Param{"back", "1", "which exchange, from the end"}),
		Virtual: "Site.Edit, Remove or Truncate", Chromium: "the same, on the served site",
		Permanent: true, manner: sites, defaults: Params{Back: 1, Text: textOf(more)},
		where: func(p *place, ph point.Phase) bool {
			return withBrowser(p, ph) && p.class != dialing
		},
		duty: historyDuty,
	}
}

func textOf(more []Param) string {
	for _, p := range more {
		if p.Name == "text" {
			return p.Default
		}
	}
	return ""
}

func historyDuty(a point.Address, _ Params) (Duty, string) {
	if momentAt(a) == leaving {
		return Complete, "the session has ended"
	}
	return Either, "a quiet run reads the record only for the turn at hand: it may never meet the " +
		"change; a bridge that meets it stops by row 10, or by the budget where its own turn is gone"
}

func switchOf(k Kind, sentence, option string) Info {
	return Info{
		Kind: k, Family: SiteFault, Sentence: sentence,
		Params:  params(forParam("", "on the site's clock; none: for good")),
		Virtual: "Options." + option, Chromium: "the same, on the served site",
		manner: sites, where: withBrowser,
		duty: always(
			Complete,
			"the record and the page agree without the copy button (readings 22)",
		),
	}
}

var (
	errNoSite    = errors.New("no site was given to the interposer")
	errNoHistory = errors.New("the record has no such exchange of a session yet")
)

// strikeSite does a site's fault.
func strikeSite(f Fault, now time.Time, s *fakesite.Site) (string, error) {
	if b, ok := blockerOf(f.Kind); ok {
		s.Block(b)
		return fmt.Sprintf("the site is blocked: %s", s.Blocked()), nil
	}
	o := s.Options()
	switch f.Kind {
	case EditHistory, CutHistory, MissingTurn:
		return strikeHistory(f, s)
	case CutStream:
		return cut(f, now, s)
	case CopyBroken:
		o.CopyBroken = true
		return "copy buttons write nothing", nil
	case CopyStale:
		o.CopyStale = true
		return "copy buttons write an earlier answer", nil
	case RecordDown:
		o.RecordStatus = http.StatusServiceUnavailable
		return fmt.Sprintf("reads of the record give %d", o.RecordStatus), nil
	}
	return strikeSend(f, s)
}

// strikeSend lets a fault meet the next send.
func strikeSend(f Fault, s *fakesite.Site) (string, error) {
	n := nextSend(s)
	list := nthOf(f.Kind, &s.Options().Faults)
	if list == nil {
		return "", fmt.Errorf("the site knows no fault %q", f.Kind)
	}
	*list = append(*list, n)
	return fmt.Sprintf("send %d of the site will meet it", n), nil
}

func nthOf(k Kind, f *fakesite.Faults) *fakesite.Nth {
	switch k {
	case ServerError:
		return &f.ServerError
	case Accepted500:
		return &f.Accepted500
	case CutStream:
		return &f.FailMid
	case NeverAnswers:
		return &f.Never
	case DropMessage:
		return &f.Dropped
	}
	return nil
}

// nextSend is the ordinal of the next send in the site's own count, from its ledger: what was
// taken, dropped, or refused by a fault. Refusals by a blocker that stands do not count there.
func nextSend(s *fakesite.Site) int {
	n := 1
	for _, e := range s.Ledger().Entries() {
		switch {
		case e.Kind == fakesite.Received, e.Kind == fakesite.Dropped,
			e.Kind == fakesite.Refused && e.Refusal == fakesite.RefusedServer:
			n++
		}
	}
	return n
}

// cut ends the running answer where it stands, or lets the next one fail in the middle.
func cut(f Fault, now time.Time, s *fakesite.Site) (string, error) {
	if f.At.Op != point.WaitPoll {
		return strikeSend(f, s)
	}
	c := newest(s)
	if c == nil || c.Last() == nil {
		return "", errNoHistory
	}
	m := c.Last()
	if m.Role != fakesite.Assistant || m.At(now).State.Ended() {
		return "", errors.New("no answer is being written")
	}
	s.Stop(now, c.ID)
	p := m.At(now)
	return fmt.Sprintf("the answer stands %s with %d of its bytes", p.State, p.Shown), nil
}

// newest is the conversation in which the site received its last message.
func newest(s *fakesite.Site) *fakesite.Conversation {
	r := s.Ledger().Received()
	if len(r) == 0 {
		return nil
	}
	return s.Find(r[len(r)-1].Conversation)
}

// exchanges are the user messages of a conversation's record.
func exchanges(c *fakesite.Conversation) []*fakesite.Message {
	var out []*fakesite.Message
	for _, m := range c.Messages {
		if m.Role == fakesite.User {
			out = append(out, m)
		}
	}
	return out
}

func strikeHistory(f Fault, s *fakesite.Site) (string, error) {
	c := newest(s)
	if c == nil {
		return "", errNoHistory
	}
	users := exchanges(c)
	at := len(users) - f.Params.Back
	if at < 0 || len(users) == 0 {
		return "", errNoHistory
	}
	user, before := users[at], len(c.Messages)
	answer := c.AnswerTo(user.ID)
	switch {
	case f.Kind == EditHistory && answer != nil:
		if !s.Edit(c.ID, answer.ID, f.Params.Text) {
			return "", errNoHistory
		}
		return fmt.Sprintf(
			"answer %s of the record reads %q",
			answer.ID,
			c.Message(answer.ID).Text,
		), nil
	case f.Kind == EditHistory:
		return "", errNoHistory
	case f.Kind == CutHistory:
		s.Truncate(c.ID, user.Parent)
		if user.Parent == fakesite.RootID {
			empty(s, c, users)
		}
	default:
		remove(s, c, user)
	}
	return fmt.Sprintf("the record has %d messages, before %d", len(c.Messages), before), nil
}

// empty empties a record exchange by exchange.
func empty(s *fakesite.Site, c *fakesite.Conversation, users []*fakesite.Message) {
	for _, u := range users {
		remove(s, c, u)
	}
}

func remove(s *fakesite.Site, c *fakesite.Conversation, user *fakesite.Message) {
	if a := c.AnswerTo(user.ID); a != nil {
		s.Remove(c.ID, a.ID)
	}
	s.Remove(c.ID, user.ID)
}

// healSite takes a lasting fault of the site back.
func healSite(f Fault, s *fakesite.Site) string {
	o := s.Options()
	switch f.Kind {
	case CopyBroken:
		o.CopyBroken = false
	case CopyStale:
		o.CopyStale = false
	case RecordDown:
		o.RecordStatus = 0
	default:
		s.Block(fakesite.Unblocked)
	}
	return "the site is as before"
}
