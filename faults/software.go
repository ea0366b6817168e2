package faults

import (
	"fmt"

	"bridgesim/bridge/point"
)

// software are bugs of pi itself.
var software = []Info{
	{
		Kind: Panic, Family: Software,
		Sentence: "a bug of pi: it panics here",
		Params:   params(Param{"text", "invariant broken", "what it says"}),
		Virtual:  "the interposer panics with a value that is not the sentinel of a kill",
		Chromium: "as on the model",
		defaults: Params{Text: "invariant broken"}, Permanent: true, manner: bugs,
		where: func(_ *place, ph point.Phase) bool { return ph != point.Late },
		duty: always(
			Stop,
			"row 15: a bug stops automation loudly and is never taken for a network fault",
		),
	},
}

// Bug is the value of a planted panic. Nobody but the root of the world may recover it.
type Bug struct{ Fault Fault }

// String says what a report of a crash needs.
func (b Bug) String() string {
	return fmt.Sprintf("%s (planted at %s)", b.Fault.Params.Text, b.Fault.At)
}
