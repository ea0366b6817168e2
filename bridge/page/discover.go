package page

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"bridgesim/bridge/browser"
	"bridgesim/bridge/page/probe"
	"bridgesim/bridge/point"
	"bridgesim/bridge/wire"
)

// Discover finds the tab of a conversation by the id in its address, never by title or order. Of
// several it takes one that nobody is attached to. A transient id finds nothing: it is not durable.
func Discover(
	ctx context.Context, b browser.Browser, cfg Config, conversation string,
) (browser.TargetInfo, bool, error) {
	tabs, err := Pages(ctx, b, cfg)
	if err != nil || !Durable(conversation) {
		return browser.TargetInfo{}, false, err
	}
	var found browser.TargetInfo
	for _, t := range tabs {
		free := found.ID == "" || (found.Attached && !t.Attached)
		if free && ConversationOf(cfg.Site, t.URL) == conversation {
			found = t
		}
	}
	return found, found.ID != "", nil
}

// Pages lists the tabs.
func Pages(ctx context.Context, b browser.Browser, cfg Config) ([]browser.TargetInfo, error) {
	cfg = cfg.withDefaults()
	cfg.op(point.ListPages)
	call, cancel := cfg.Clock.WithTimeout(ctx, cfg.Tuning.CallDeadline)
	defer cancel()
	return b.Pages(call)
}

// ConversationOf is the conversation id in an address of the site, "" in any other one.
func ConversationOf(site, address string) string {
	rest, ok := strings.CutPrefix(address, strings.TrimSuffix(site, "/"))
	if !ok || !strings.HasPrefix(rest, "/") {
		return ""
	}
	if i := strings.IndexAny(rest, "?#"); i >= 0 {
		rest = rest[:i]
	}
	i := strings.LastIndex(rest, "/c/")
	if i < 0 {
		return ""
	}
	id, err := url.PathUnescape(strings.TrimSuffix(rest[i+len("/c/"):], "/"))
	if err != nil || strings.Contains(id, "/") {
		return ""
	}
	return id
}

// Address is the address of a conversation; of a new chat for "".
func Address(site, conversation string) string {
	site = strings.TrimSuffix(site, "/")
	if conversation == "" {
		return site + "/"
	}
	return site + "/c/" + url.PathEscape(conversation)
}

// OpenConversation opens an own tab at a conversation, or at a new chat for "". The caller journals
// the tab as its own: only such a tab may be closed later.
func OpenConversation(
	ctx context.Context, b browser.Browser, cfg Config, conversation string,
) (browser.TargetID, error) {
	if Transient(conversation) {
		return "", fmt.Errorf("conversation %q has no address that could be opened again: the server's "+
			"own id is needed", conversation)
	}
	cfg = cfg.withDefaults()
	cfg.op(point.OpenPage)
	call, cancel := cfg.Clock.WithTimeout(ctx, cfg.Tuning.CallDeadline)
	defer cancel()
	return b.Open(call, Address(cfg.Site, conversation))
}

// Mounted lists the turns that the document shows behind a message id ("" = all).
func (p *Page) Mounted(ctx context.Context, after string) (probe.TailState, error) {
	args := probe.TailArgs{After: after, Limit: tailLimit}
	return ask(ctx, p, point.DiscoverTurns, probe.Tail, args)
}

// Turn is one message of ours in a conversation and the reply to it.
type Turn struct {
	Message wire.Message
	Err     error  // the message begins with our header and cannot be read; Message is empty
	ID      string // of the message
	Text    string
	ReplyID string
	Reply   string // as far as the record has it
	// Finished: the reply is whole.
	Finished bool
}

// Chain reads a conversation from the server and returns our messages in order, each with its
// reply. What a person wrote there is left out. The record is returned as well: its Status,
// LoggedIn and Complete say how much the chain is worth.
func (p *Page) Chain(ctx context.Context, conversation string) ([]Turn, probe.RecordState, error) {
	r, err := p.record(ctx, point.DiscoverRead, conversation, "")
	if err != nil || r.Status != 200 {
		return nil, r, err
	}
	return chain(r.Messages), r, nil
}

func chain(messages []probe.RecordedMessage) []Turn {
	var turns []Turn
	for i := range messages {
		if messages[i].Role != "user" {
			continue
		}
		m, err := wire.ParseMessage(messages[i].Text)
		if errors.Is(err, wire.ErrNotOurs) {
			continue
		}
		reply, state := finalBefore(messages[i+1:])
		turns = append(turns, Turn{
			Message: m, Err: err, ID: messages[i].ID, Text: messages[i].Text,
			ReplyID: reply.ID, Reply: reply.Text, Finished: state == Finished,
		})
	}
	return turns
}
