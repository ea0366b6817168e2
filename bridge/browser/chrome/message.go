package chrome

import (
	"encoding/json"
	"net/url"
	"strings"

	"github.com/chromedp/cdproto/network"

	"bridgesim/bridge/browser"
)

// isConversation says whether a POST to this address sends a message: …/backend-api/conversation or
// …/backend-api/f/conversation, and nothing below them.
func isConversation(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (strings.HasSuffix(u.Path, "/backend-api/conversation") ||
		strings.HasSuffix(u.Path, "/backend-api/f/conversation"))
}

func bodyOf(r *network.Request) []byte {
	var body []byte
	for _, e := range r.PostDataEntries {
		if e != nil {
			body = append(body, e.Bytes...)
		}
	}
	return body
}

// withBody adds the ids and the text of the message to its event. A body that is no such message
// adds none: the event then still says that something was sent.
func withBody(ev browser.Event, body []byte) browser.Event {
	var post struct {
		ConversationID string `json:"conversation_id"`
		Messages       []struct {
			ID     string `json:"id"`
			Author struct {
				Role string `json:"role"`
			} `json:"author"`
			Content struct {
				Parts []json.RawMessage `json:"parts"` // texts, and objects for files
			} `json:"content"`
		} `json:"messages"`
	}
	if json.Unmarshal(body, &post) != nil {
		return ev
	}
	ev.ConversationID = post.ConversationID
	for _, m := range post.Messages {
		if m.ID != "" && (ev.MessageID == "" || m.Author.Role == "user") {
			ev.MessageID, ev.Text = m.ID, textOf(m.Content.Parts)
		}
	}
	return ev
}

// textOf joins the parts that are text, as the record's reader does.
func textOf(parts []json.RawMessage) string {
	texts := make([]string, 0, len(parts))
	for _, part := range parts {
		var text string
		if len(part) > 0 && part[0] == '"' && json.Unmarshal(part, &text) == nil {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "\n")
}
