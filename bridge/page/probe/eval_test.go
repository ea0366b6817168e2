package probe_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"bridgesim/bridge/page/probe"
)

// TestArgumentsSurviveTheWire: what the page gets as the argument of a probe is the Go value.
func TestArgumentsSurviveTheWire(t *testing.T) {
	arguments(t, probe.Hello)
	arguments(t, probe.Guard)
	arguments(t, probe.Composer)
	arguments(t, probe.Focus)
	arguments(t, probe.Empty)
	arguments(t, probe.Fence)
	arguments(t, probe.Revoke)
	arguments(t, probe.Unfence)
	arguments(t, probe.Tail)
	arguments(t, probe.Turn)
	arguments(t, probe.Text)
	arguments(t, probe.Copy)
	arguments(t, probe.Record)
}

func arguments[A, R any](t *testing.T, p probe.Probe[A, R]) {
	t.Run(p.Name, func(t *testing.T) {
		rapid.Check(t, func(r *rapid.T) {
			args := draw[A](r)
			b, err := json.Marshal(probe.Eval[A]{Name: p.Name, Await: p.Await, Args: args})
			if err != nil {
				r.Fatal(err)
			}
			var call struct {
				Expression    string
				ReturnByValue bool
				AwaitPromise  bool
			}
			if err := json.Unmarshal(b, &call); err != nil {
				r.Fatal(err)
			}
			start := strings.Index(call.Expression, "__bridge."+p.Name+"(")
			if start < 0 || !call.ReturnByValue || call.AwaitPromise != p.Await {
				r.Fatalf("not a call of %s: %s", p.Name, b)
			}
			body := call.Expression[start+len("__bridge."+p.Name+"("):]
			var back A
			if err := json.Unmarshal([]byte(strings.TrimSuffix(body, ")")), &back); err != nil {
				r.Fatalf("%v in %s", err, body)
			}
			same(r, args, back)
		})
	})
	t.Run(p.Name+" answer", func(t *testing.T) {
		rapid.Check(t, func(r *rapid.T) {
			in := probe.Reply[R]{Value: draw[R](r)}
			switch rapid.IntRange(0, 4).Draw(r, "kind") {
			case 0:
				in = probe.Reply[R]{Missing: true}
			case 1:
				in = probe.Reply[R]{Exception: "Uncaught: Error: " + text.Draw(r, "why")}
			}
			b, err := json.Marshal(in)
			if err != nil {
				r.Fatal(err)
			}
			var back probe.Reply[R]
			if err := json.Unmarshal(b, &back); err != nil {
				r.Fatalf("%v in %s", err, b)
			}
			if in.Exception != "" {
				if !strings.HasPrefix(back.Exception, in.Exception) {
					r.Fatalf("exception %q became %q", in.Exception, back.Exception)
				}
				return
			}
			same(r, in, back)
		})
	})
}

var text = rapid.OneOf(
	rapid.String(),
	rapid.SampledFrom([]string{
		"", "\u2028</script>", "`${x}`", "\\", "\"'", "你好😀", "\x00\r\n",
		"\ufeff\u00a0",
	}),
)

// draw makes any value of a probe's type; slices are never nil, as the page never leaves one out.
func draw[T any](r *rapid.T) T {
	var v T
	fill(r, reflect.ValueOf(&v).Elem())
	return v
}

func fill(r *rapid.T, v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(strings.ToValidUTF8(text.Draw(r, "text"), "?"))
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(r, "bool"))
	case reflect.Int:
		v.SetInt(int64(rapid.Int32().Draw(r, "int")))
	case reflect.Float64:
		v.SetFloat(float64(rapid.Float32Range(0, 1e6).Draw(r, "float")))
	case reflect.Slice:
		n := rapid.IntRange(0, 3).Draw(r, "len")
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			fill(r, v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fill(r, v.Field(i))
		}
	default:
		r.Fatalf("a probe type holds a %s: teach this test to draw one", v.Kind())
	}
}

func same(r *rapid.T, want, got any) {
	if !reflect.DeepEqual(want, got) {
		r.Fatalf("%#v became %#v", want, got)
	}
}

// TestProfile: every selector stands in the one profile file, and the script is put together from
// it.
func TestProfile(t *testing.T) {
	var profile map[string]any
	if err := json.Unmarshal([]byte(probe.Profile()), &profile); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"composer", "send", "stop", "families", "bar", "errors", "notices"} {
		if profile[key] == nil {
			t.Errorf("the profile has no %q", key)
		}
	}
	if !strings.Contains(probe.Source, probe.Version) || len(probe.Version) != 12 {
		t.Errorf("the script does not carry its version %q", probe.Version)
	}
	for _, generic := range []string{"type=submit", "type='submit'", "[aria-label*"} {
		for _, list := range []string{"send", "copyButtons"} {
			for _, selector := range profile[list].([]any) {
				if strings.Contains(selector.(string), generic) {
					t.Errorf("%s holds the generic selector %s: it clicks the wrong control", list, selector)
				}
			}
		}
	}
}
