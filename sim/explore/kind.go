package explore

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"bridgesim/bridge/point"
	"bridgesim/faults"
)

// Kind is one kind of fault with its parameters, without a place.
type Kind struct {
	faults.Kind
	Params faults.Params
	info   *faults.Info
}

// String is the kind in the form of schedules, without its address.
func (k *Kind) String() string {
	text := faults.Fault{Kind: k.Kind, Params: k.Params}.String()
	_, with, ok := strings.Cut(text, " with ")
	if !ok {
		return string(k.Kind)
	}
	return string(k.Kind) + " with " + with
}

// ErrKinds says that a choice of kinds makes no sense.
var ErrKinds = errors.New("these kinds make no sense")

// AllKinds are the kinds of the table, as they are without parameters.
func AllKinds() []Kind {
	names := faults.Kinds()
	out := make([]Kind, len(names))
	for i, name := range names {
		info, _ := faults.Of(name)
		out[i] = Kind{Kind: name, info: info}
	}
	return out
}

// ParseKinds reads a choice: each word is "all", "variants", a family, a kind, or a kind with
// parameters as in a schedule ("wedge-tab with for=20s"); "~" in front of a kind or family takes
// it away. Without words it is all kinds. The order is the table's, whatever the order of the
// words.
func ParseKinds(words []string) ([]Kind, error) {
	if len(words) == 0 {
		return AllKinds(), nil
	}
	var out []Kind
	if strings.HasPrefix(words[0], "~") {
		out = AllKinds()
	}
	for _, w := range words {
		name, away := strings.CutPrefix(strings.TrimSpace(w), "~")
		found, err := kindsOf(name)
		if err != nil {
			return nil, err
		}
		for _, k := range found {
			at := slices.IndexFunc(out, func(o Kind) bool { return o.String() == k.String() })
			switch {
			case away && at >= 0:
				out = slices.Delete(out, at, at+1)
			case !away && at < 0:
				out = append(out, k)
			}
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%w: %q leaves none", ErrKinds, words)
	}
	sortKinds(out)
	return out, nil
}

func sortKinds(kinds []Kind) {
	order := faults.Kinds()
	slices.SortStableFunc(kinds, func(a, b Kind) int {
		if c := slices.Index(order, a.Kind) - slices.Index(order, b.Kind); c != 0 {
			return c
		}
		return strings.Compare(a.String(), b.String())
	})
}

// kindsOf reads one word.
func kindsOf(word string) ([]Kind, error) {
	switch word {
	case "all":
		return AllKinds(), nil
	case "variants":
		return append(AllKinds(), Variants()...), nil
	}
	var out []Kind
	for _, k := range AllKinds() {
		if string(k.info.Family) == word || string(k.Kind) == word {
			out = append(out, k)
		}
	}
	if len(out) > 0 {
		return out, nil
	}
	if strings.Contains(word, " with ") {
		k, err := parseKind(word)
		return []Kind{k}, err
	}
	return nil, fmt.Errorf("%w: %q is no kind and no family; families are %s, kinds are %v",
		ErrKinds, word, families(), faults.Kinds())
}

// parseKind reads a kind with parameters; they are checked at an address where the kind can
// strike.
func parseKind(word string) (Kind, error) {
	name, with, _ := strings.Cut(word, " with ")
	info, ok := faults.Of(faults.Kind(name))
	if !ok {
		return Kind{}, fmt.Errorf("%w: %q is no kind; kinds are %v", ErrKinds, name, faults.Kinds())
	}
	at := somewhere(info)
	f, err := faults.ParseFault(fmt.Sprintf("%s at %s with %s", name, at, with))
	if err != nil {
		return Kind{}, fmt.Errorf("%w: %q: %w", ErrKinds, word, err)
	}
	return Kind{Kind: f.Kind, Params: f.Params, info: info}, nil
}

// somewhere is an address at which a kind can strike.
func somewhere(info *faults.Info) point.Address {
	for _, op := range faults.Ops() {
		for _, ph := range []point.Phase{point.Before, point.After, point.Late} {
			if info.Available(faults.EngineVirtual, op, ph) {
				return point.Address{Op: op, Step: 1, Phase: ph}
			}
		}
	}
	return point.Address{}
}

// Families lists the families in the order of the table.
func Families() []faults.Family {
	var out []faults.Family
	for _, k := range AllKinds() {
		if !slices.Contains(out, k.info.Family) {
			out = append(out, k.info.Family)
		}
	}
	return out
}

func families() string {
	var names []string
	for _, f := range Families() {
		names = append(names, string(f))
	}
	return strings.Join(names, ", ")
}

// variants are parameters that make another fault of a kind: those that heal where the plain kind
// never does, the other ways in which a socket ends, the codes with another row.
var variants = []string{
	"sever with how=fin",
	"sever with how=close",
	"stall with for=20s",
	"delay with for=20s",
	"cdp-error with code=-32001 text='Session with given id not found.'",
	"cdp-error with code=-32601 text='method not found'",
	"wedge-tab with for=20s",
	"second-client with text='a draft'",
	"dialog with for=20s",
	"relaunch with for=3m",
	"freeze-browser with for=20s",
	"kill-pi with for=10m",
	"stale-cache with back=3",
	"captcha with for=10m",
	"record-down with for=10m",
	"missing-turn with back=2",
	"agent-mute with for=1m",
}

// Variants are the parameters in which kinds are explored beyond the plain ones.
func Variants() []Kind {
	out := make([]Kind, len(variants))
	for i, v := range variants {
		k, err := parseKind(v)
		if err != nil {
			panic(err) // a table of ours; a test reads it
		}
		out[i] = k
	}
	return out
}
