package sim

import "testing"

// TestLeftForAnotherChat: the address of a new chat is that of one whose id is not given yet, so a
// page alone cannot tell that a person went from one to the other; the fault that did it tells.
func TestLeftForAnotherChat(t *testing.T) {
	at := seat{tab: "a", document: "doc-1"}
	w := &wireEye{tabs: listOf(tabsAt(testSite + "/")), spoke: true, seen: at}
	w.s.at = at
	is := func(what, conversation string, want bool) {
		t.Helper()
		if tab, _, known := w.where(at, conversation); tab != want || !known {
			t.Errorf("%s: %t, known %t", what, tab, known)
		}
	}
	is("before", chat, true)
	w.leave()
	is("a new chat was opened", chat, false)
	is("it is a new chat as any other", "", true)
	if w.posted(at) {
		t.Error("nothing was posted from what the tab shows now")
	}
	w.begun("Input.dispatchMouseEvent")
	is("the message was sent from there", chat, true)
	w.leave()
	w.show(chat)
	w.tabs = listOf(tabsAt(testSite + "/c/" + chat))
	is("somebody came back", chat, true)
}
