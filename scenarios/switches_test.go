package scenarios

import (
	"reflect"
	"strings"
	"testing"

	"bridgesim/fakesite"
)

// TestEveryFieldOfTheSiteHasASwitch: what the site can do, a feature can turn on.
func TestEveryFieldOfTheSiteHasASwitch(t *testing.T) {
	named := map[string]bool{}
	for _, s := range Switches() {
		named[s.Name] = true
	}
	for _, typ := range []reflect.Type{
		reflect.TypeFor[fakesite.Options](), reflect.TypeFor[fakesite.Faults](),
	} {
		for i := range typ.NumField() {
			switch f := typ.Field(i); f.Name {
			case "Faults", "Refuse", "Block": // lists of their own: the fault steps do what they do
			default:
				if !named[f.Name] {
					t.Errorf("no switch sets %s.%s", typ.Name(), f.Name)
				}
			}
		}
	}
}

// TestEverySwitchTurnsItsField: a switch that turns nothing would let its scenarios pass for
// nothing.
func TestEverySwitchTurnsItsField(t *testing.T) {
	values := map[string]string{
		"": "", "a word": "lexical", "a number": "3", "a duration": "20s", "messages": "2,3",
	}
	special := map[string]string{"Family": "li", "CodeView": "cm"}
	for _, sw := range Switches() {
		s := scenario{}
		value := values[sw.Value]
		if v, ok := special[sw.Name]; ok {
			value = v
		}
		if err := s.turn(sw.Name, value); err != nil {
			t.Errorf("%s: %v", sw.Name, err)
		}
		o := reflect.ValueOf(s.script.Options)
		field := o.FieldByName(sw.Name)
		if !field.IsValid() {
			field = o.FieldByName("Faults").FieldByName(sw.Name)
		}
		if field.IsZero() {
			t.Errorf("%s is as it was", sw.Name)
		}
	}
}

func TestSwitchesRefuse(t *testing.T) {
	for _, c := range []struct{ name, value, want string }{
		{"NoBarr", "", "is not known"},
		{"NoBar", "yes", "takes no value"},
		{"Window", "", "whole number"},
		{"Window", "many", "whole number"},
		{"PauseFor", "20", "a time such as"},
		{"PauseFor", "-1s", "negative"},
		{"Family", "div", "is not known"},
		{"DraftRestored", "", "wants a text"},
		{"Never", "", "HELLO is 1"},
		{"Never", "0", "wants messages"},
	} {
		err := (&scenario{}).turn(c.name, c.value)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("switch %q set to %q: error %v, want one with %q", c.name, c.value, err, c.want)
		}
	}
}
