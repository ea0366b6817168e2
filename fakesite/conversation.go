package fakesite

import (
	"slices"
	"time"
)

// RootID is the parent of a conversation's first message.
const RootID = "client-created-root"

// Conversation is one chat. Its fields are to be read, not written.
type Conversation struct {
	ID          string
	TransientID string // the client's own id, without "WEB:"; may be empty
	Title       string
	Temporary   bool
	Created     time.Time
	Messages    []*Message // the current branch, oldest first
	Others      []*Message // nodes of branches that were left (edit, stale parent)

	persona persona
	stale   bool // the branch was changed behind the persona's back: it must read again
}

func (c *Conversation) index(messageID string) int {
	for i := len(c.Messages) - 1; i >= 0; i-- {
		if c.Messages[i].ID == messageID {
			return i
		}
	}
	return -1
}

// After returns the messages behind one message of the current branch; "" and RootID mean all. It
// is false when the branch does not hold that message. The slice belongs to the conversation.
func (c *Conversation) After(messageID string) ([]*Message, bool) {
	if messageID == "" || messageID == RootID {
		return c.Messages, true
	}
	i := c.index(messageID)
	if i < 0 {
		return nil, false
	}
	return c.Messages[i+1:], true
}

// Last is the newest message of the current branch, nil in an empty conversation.
func (c *Conversation) Last() *Message {
	if len(c.Messages) == 0 {
		return nil
	}
	return c.Messages[len(c.Messages)-1]
}

// Message finds a message of the current branch, nil when it is not there.
func (c *Conversation) Message(id string) *Message {
	if i := c.index(id); i >= 0 {
		return c.Messages[i]
	}
	return nil
}

// AnswerTo is the answer to a user message, nil when there is none.
func (c *Conversation) AnswerTo(userID string) *Message {
	if i := c.index(userID); i >= 0 && i+1 < len(c.Messages) && c.Messages[i+1].Role == Assistant {
		return c.Messages[i+1]
	}
	return nil
}

// running is the last answer when it has not ended, else nil.
func (c *Conversation) running(now time.Time) *Message {
	if m := c.Last(); m != nil && !m.At(now).State.Ended() {
		return m
	}
	return nil
}

// forkAt makes a message of the branch the last one; what was behind it goes to Others. Parents
// that the branch does not hold are taken as its end.
func (c *Conversation) forkAt(parent string) {
	i := c.index(parent)
	if i < 0 || i == len(c.Messages)-1 {
		return
	}
	c.Others = append(c.Others, c.Messages[i+1:]...)
	c.Messages = slices.Clone(c.Messages[:i+1])
	c.stale = true
}

func (c *Conversation) parentOfNext() string {
	if m := c.Last(); m != nil {
		return m.ID
	}
	return RootID
}

func (c *Conversation) holds(id string) bool {
	return c.index(id) >= 0 ||
		slices.ContainsFunc(c.Others, func(m *Message) bool { return m.ID == id })
}

// edit replaces the text of a message.
func (c *Conversation) edit(id, text string) bool {
	m := c.Message(id)
	if m == nil {
		return false
	}
	m.Text, c.stale = text, true
	return true
}

// remove takes one message out; the next one's parent becomes the one before.
func (c *Conversation) remove(id string) bool {
	i := c.index(id)
	if i < 0 {
		return false
	}
	if i+1 < len(c.Messages) {
		c.Messages[i+1].Parent = c.Messages[i].Parent
	}
	c.Messages = append(slices.Clone(c.Messages[:i]), c.Messages[i+1:]...)
	c.stale = true
	return true
}

// truncate takes everything behind a message out.
func (c *Conversation) truncate(id string) bool {
	rest, ok := c.After(id)
	if !ok {
		return false
	}
	c.Messages = slices.Clone(c.Messages[:len(c.Messages)-len(rest)])
	c.stale = true
	return true
}
