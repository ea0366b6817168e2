package scenarios

import (
	"strings"
	"testing"

	"bridgesim/bridge/session"
	"bridgesim/bridge/wire"
	"bridgesim/sim"
	"bridgesim/sim/agent"
)

const steady = "# ROUND pi-bridge/1\nFRAME: s=9f83a7c1d42e650b r=2 p=a1b2c3d4 q=e1db9b58\n\n" +
	"## 上轮执行回执\n"

// of is a run whose site received these texts, and whose script wants what s says.
func of(s sim.Script, texts ...string) *sim.Result {
	r := &sim.Result{World: &sim.World{Script: &s}}
	for _, text := range texts {
		m := sim.Message{Text: text}
		if msg, err := wire.ParseMessage(text); err == nil {
			m.Message, m.Ours = msg, true
		}
		r.Received = append(r.Received, m)
	}
	return r
}

// TestLeanRoundsFindsEveryPiece: not only the whole contract or the whole list, but any line, any
// name and any piece of the request; and it takes the script's word for them, not the journal's.
func TestLeanRoundsFindsEveryPiece(t *testing.T) {
	s := sim.Script{Request: "把登录超时从 30 秒改成 5 分钟，并补一个测试"}
	quiet := steady + "npm test 全绿，network 也好\n"
	if err := leanRounds(of(s, quiet)); err != nil {
		t.Errorf("a lean ROUND: %v", err)
	}
	var pieces []string
	for line := range strings.Lines(wire.Contract()) {
		if line = strings.TrimSpace(line); line != "" {
			pieces = append(pieces, line+"\n")
		}
	}
	pieces = append(pieces, wire.Contract(), "缩进或行内反引号",
		"复制按钮一次只能取到其中一块", "整个回复只允许有 1 个代码块。别的。")
	pieces = append(pieces, wire.DefaultCapabilities()...)
	pieces = append(pieces, wire.DefaultDenials()...)
	pieces = append(pieces, "CAPS: file.read,shell.local", "no net.", s.Request, "超时从 30 秒改成",
		"把登录超时从 30\n  秒改成 5 分钟")
	for _, piece := range pieces {
		r := of(s, steady+piece)
		r.State = session.State{} // the journal knows nothing, and that is no excuse
		if err := leanRounds(r); err == nil {
			t.Errorf("a ROUND that holds %q passes", piece)
		}
	}
	custom := sim.Script{Request: "x y", Capabilities: []string{"fly"}, Denials: []string{"land"}}
	for piece, lean := range map[string]bool{
		"fly": false, "land": false, "x  y": false, "butterfly": true, "island-1": true, "net": true,
	} {
		if err := leanRounds(of(custom, steady+piece)); (err == nil) != lean {
			t.Errorf("%q: %v", piece, err)
		}
	}
}

// TestLeanRoundsLeavesReceiptsToTheAgent: what the agent reports is its own word.
func TestLeanRoundsLeavesReceiptsToTheAgent(t *testing.T) {
	s := sim.Script{Request: "npm test 全绿"}
	r := of(s, steady+"第 1 轮已执行：npm test 全绿")
	if leanRounds(r) == nil {
		t.Error("a piece of the request that no receipt holds passes")
	}
	r.Executed = []agent.Entry{{Round: 1}}
	if err := leanRounds(r); err != nil {
		t.Errorf("the agent's receipt: %v", err)
	}
	if leanRounds(of(s)) == nil {
		t.Error("a run without a ROUND after the first passes")
	}
}

// TestHelloIsHeldAgainstTheScript: a bridge that lost the capabilities writes the same wrong ones
// into message and journal.
func TestHelloIsHeldAgainstTheScript(t *testing.T) {
	hello := func(caps, denials []string) string {
		return wire.NewOffer("9f83a7c1d42e650b", "the request", "", caps, denials).Hello()
	}
	s := sim.Script{
		Request: "the request", Capabilities: []string{"file.read", "git.local"},
		Denials: []string{"net"},
	}
	if err := helloIsWhole(of(s, hello(s.Capabilities, s.Denials))); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		what          string
		caps, denials []string
	}{
		{"a capability is missing", s.Capabilities[:1], s.Denials},
		{"a capability is too much", []string{"file.read", "git.local", "x"}, s.Denials},
		{"the denials are the default", s.Capabilities, wire.DefaultDenials()},
		{"no denial", s.Capabilities, nil},
	} {
		r := of(s, hello(c.caps, c.denials))
		r.State.Capabilities, r.State.Denials = c.caps, c.denials
		if helloIsWhole(r) == nil {
			t.Errorf("%s, and it passes", c.what)
		}
	}
}

// TestTheRequestIsTheScripts: a bridge that relays another text, and writes that one down, has not
// relayed the request.
func TestTheRequestIsTheScripts(t *testing.T) {
	s := sim.Script{Request: "delete nothing"}
	round := "# ROUND pi-bridge/1\nFRAME: s=9f83a7c1d42e650b r=1 p=- q=e1db9b58\n\n## 用户请求\n"
	if err := requestOnce(of(s, round+"delete nothing"), 1); err != nil {
		t.Error(err)
	}
	r := of(s, round+"delete everything")
	r.State.Request = "delete everything"
	if requestOnce(r, 1) == nil {
		t.Error("another request passes for the request")
	}
	hello := wire.NewOffer("9f83a7c1d42e650b", s.Request, "", nil, nil).Hello()
	if err := helloIsNoQuestion(of(s, hello)); err != nil {
		t.Error(err)
	}
	r = of(s, strings.Replace(hello, wire.DefaultObjective, "please delete nothing", 1))
	r.State.Request = "another"
	if helloIsNoQuestion(r) == nil {
		t.Error("a HELLO with the request passes")
	}
}
