package conformance

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"bridgesim/bridge/page/probe"
	"bridgesim/fakesite"
)

// names gives what a page makes by itself a name by order of appearance.
type names struct {
	pairs []string // what it is, its name, and so on
	users []string // message ids in order
	known map[string]bool
}

// meet names what is new on the site.
func (n *names) meet(site *fakesite.Site) {
	for _, e := range site.Ledger().Entries() {
		if n.name(e.MessageID, "user-%d", len(n.users)+1) {
			n.users = append(n.users, e.MessageID)
		}
	}
	all := site.Conversations()
	for i := len(all) - 1; i >= 0; i-- {
		n.name(all[i].TransientID, "transient-%d", len(all)-i)
	}
}

func (n *names) name(id, format string, number int) bool {
	if id == "" || n.known[id] {
		return false
	}
	if n.known == nil {
		n.known = map[string]bool{}
	}
	n.known[id] = true
	n.pairs = append(n.pairs, id, fmt.Sprintf(format, number))
	return true
}

// of replaces what has a name; base is the address of the site.
func (n *names) of(text, base string) string {
	return strings.NewReplacer(append([]string{base, ""}, n.pairs...)...).Replace(text)
}

// named is v with names for ids, and without what may differ between two browsers.
func named(v any, n *names, base string) (any, error) {
	body, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	out := reflect.New(reflect.TypeOf(v))
	if err := json.Unmarshal([]byte(n.of(string(body), base)), out.Interface()); err != nil {
		return nil, err
	}
	switch v := out.Interface().(type) {
	case *probe.Document:
		v.Name = ""
	case *probe.FenceState:
		v.Document = ""
	case *probe.ComposerState:
		v.X, v.Y = there(v.X), there(v.Y)
	}
	return out.Elem().Interface(), nil
}

func there(x float64) float64 {
	if x != 0 {
		return 1
	}
	return 0
}
