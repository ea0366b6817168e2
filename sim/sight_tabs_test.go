package sim

import (
	"context"
	"errors"
	"testing"
	"time"

	"bridgesim/bridge/browser"
)

// tabbed is a browser that has tabs and nothing else.
type tabbed struct {
	browser.Browser
	list   []browser.TargetInfo
	err    error
	closed int
}

func (b *tabbed) Pages(context.Context) ([]browser.TargetInfo, error) { return b.list, b.err }

func (b *tabbed) Close() error {
	b.closed++
	return nil
}

// dialing gives its browsers one after the other; nil stands for one whose process is gone.
type dialing struct{ next []*tabbed }

func (d *dialing) Dial(context.Context) (browser.Browser, error) {
	b := d.next[0]
	d.next = d.next[1:]
	if b == nil {
		return nil, &browser.Loss{Kind: browser.BrowserGone, Cause: errors.New("nothing listens")}
	}
	return b, nil
}

const (
	testSite = "http://127.0.0.1:8080"
	chat     = "3f6c9c1e-0000-4000-8000-000000000001"
	other    = "3f6c9c1e-0000-4000-8000-000000000002"
)

func listOf(browsers ...*tabbed) *tabList {
	d := &dialing{next: browsers}
	return &tabList{
		site: testSite, patience: time.Second, dial: func() browser.Dialer { return d },
	}
}

func tabsAt(url ...string) *tabbed {
	b := &tabbed{}
	for i, u := range url {
		b.list = append(b.list, browser.TargetInfo{ID: browser.TargetID(rune('a' + i)), URL: u})
	}
	return b
}

func TestTabList(t *testing.T) {
	silentOne := &tabbed{err: &browser.Loss{Kind: browser.Silent, Cause: context.DeadlineExceeded}}
	dead := &tabbed{err: &browser.Loss{Kind: browser.SocketLost, Cause: errors.New("reset")}}
	for _, c := range []struct {
		what  string
		list  *tabList
		tabs  int
		known bool
	}{
		{"its tabs", listOf(tabsAt(testSite+"/", testSite+"/c/"+chat)), 2, true},
		{"a browser that was started again", listOf(dead, tabsAt(testSite+"/")), 1, true},
		{"a browser whose process is gone has none", listOf(nil), 0, true},
		{"one that does not answer tells nothing", listOf(silentOne, silentOne), 0, false},
	} {
		got, known := c.list.tabs()
		if len(got) != c.tabs || known != c.known {
			t.Errorf("%s: %v, %t", c.what, got, known)
		}
	}
	if silentOne.closed != 2 || dead.closed != 1 {
		t.Error("a connection is left behind")
	}
}

// TestTabsDecide: what the browser's own process says closes what the wire leaves open, and
// corrects it.
func TestTabsDecide(t *testing.T) {
	at := seat{tab: "a", document: "doc-1"}
	type want struct{ tab, document, known bool }
	for _, c := range []struct {
		what  string
		tabs  *tabbed // nil: the browser does not answer
		edit  func(*wireEye)
		want  want
		shown bool
	}{
		{"it hangs, nobody asked", nil, func(w *wireEye) { w.struck = doubtful }, want{}, false},
		{"it hangs, with our conversation in it", tabsAt(testSite + "/c/" + chat), func(w *wireEye) {
			w.struck = doubtful
		}, want{true, true, true}, true},
		{"it hung, and pi reloaded it", tabsAt(testSite + "/c/" + chat), func(w *wireEye) {
			w.struck, w.moved = doubtful, true
		}, want{true, false, true}, true},
		{"a person went on to another conversation", tabsAt(testSite + "/c/" + other), func(w *wireEye) {
			w.spoke, w.shown, w.seen = true, chat, at
		}, want{false, false, true}, false},
		{"a person went away", tabsAt("https://example.org/c/" + chat), func(w *wireEye) {
			w.spoke, w.shown, w.seen = true, chat, at
		}, want{false, false, true}, false},
		{"the tab is gone, and nothing told so", tabsAt(), func(*wireEye) {
		}, want{false, false, true}, false},
		{"no address yet: the page tells", tabsAt(testSite + "/"), func(w *wireEye) {
			w.spoke, w.shown, w.seen = true, "", at
		}, want{true, true, true}, true},
		{"reloaded by a fault", tabsAt(testSite + "/c/" + chat), func(w *wireEye) {
			w.struck = replaced
		}, want{true, false, true}, true},
		{"reloaded by a fault, the address not there again", tabsAt(""), func(w *wireEye) {
			w.struck = replaced
		}, want{true, false, true}, true},
	} {
		t.Run(c.what, func(t *testing.T) {
			w := &wireEye{tabs: listOf(c.tabs, c.tabs, c.tabs, c.tabs)}
			if c.tabs == nil {
				w.tabs = nil
			}
			c.edit(w)
			var got want
			if got.tab, got.document, got.known = w.where(at, chat); got != c.want {
				t.Errorf("where: %+v, want %+v", got, c.want)
			}
			if yes, known := w.shows(chat); yes != c.shown || known != c.want.known {
				t.Errorf("shows: %t, known %t", yes, known)
			}
		})
	}
}
