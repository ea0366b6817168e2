package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"bridgesim/bridge/wire"
)

// checked is a flag whose text is judged when it is set, so that a wrong value is refused together
// with the name of its flag.
type checked struct {
	text string
	kind string // what help calls the value
	set  func(string) error
}

func (c *checked) String() string { return c.text }
func (c *checked) Type() string   { return c.kind }

// Set implements pflag.Value.
func (c *checked) Set(s string) error {
	if err := c.set(s); err != nil {
		return err
	}
	c.text = s
	return nil
}

var _ pflag.Value = (*checked)(nil)

// sidFlag takes a session id.
func sidFlag(to *string) *checked {
	return &checked{kind: "sid", set: func(s string) error {
		if !wire.IsSID(s) {
			return errors.New("want 16 lower-case hex digits")
		}
		*to = s
		return nil
	}}
}

// textFlag takes a text that travels in a message.
func textFlag(to *string) *checked {
	return &checked{kind: "text", text: *to, set: func(s string) error {
		if len(s) > wire.MaxInput {
			return fmt.Errorf("want at most %d bytes", wire.MaxInput)
		}
		*to = s
		return nil
	}}
}

// roundFlag takes a round number; its default is what to holds.
func roundFlag(to *int) *checked {
	return &checked{kind: "round", text: numberOrNone(*to), set: func(s string) error {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 || n > 999_999_999 {
			return errors.New("want a round from 1")
		}
		*to = n
		return nil
	}}
}

func numberOrNone(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// prevFlag takes the key of the last settled plan, or "-".
func prevFlag(to *string) *checked {
	return &checked{kind: "key", text: *to, set: func(s string) error {
		if s != wire.NoPlan && !wire.IsDigest8(s) {
			return fmt.Errorf("want 8 lower-case hex digits, or %s", wire.NoPlan)
		}
		*to = s
		return nil
	}}
}

// checkpointFlag takes "<round>:<key>" or "0:-".
func checkpointFlag(to *wire.Checkpoint) *checked {
	return &checked{kind: "checkpoint", text: to.String(), set: func(s string) error {
		ck, err := wire.ParseCheckpoint(s)
		if err != nil {
			return errors.New("want <round>:<8 lower-case hex digits>, or 0:-")
		}
		*to = ck
		return nil
	}}
}

// namesFlag takes a list of capability names, "" for none.
func namesFlag(to *[]string) *checked {
	return &checked{kind: "names", text: strings.Join(*to, ","), set: func(s string) error {
		if s == "" {
			*to = nil
			return nil
		}
		names := strings.Split(s, ",")
		for _, name := range names {
			if name == "" || strings.ContainsAny(name, " \t\r\n") {
				return errors.New("want names between commas, without white space")
			}
		}
		*to = names
		return nil
	}}
}

// repairCodesFlag takes the codes of a REPAIR. The other domains are refused: a local fault is
// never blamed on the other side, and reformatting cannot fix a version.
func repairCodesFlag(to *[]wire.Code) *checked {
	return &checked{kind: "codes", set: func(s string) error {
		var faults []wire.Fault
		for word := range strings.SplitSeq(s, ",") {
			code := wire.Code(word)
			switch domain := code.Domain(); {
			case !code.Known():
				return fmt.Errorf("%q is no error code: want %s", word, remoteCodes())
			case domain.Demand() != wire.DemandRepair:
				return fmt.Errorf("%s is a %s fault, its answer is %s: want %s",
					code, domain, domain.Demand(), remoteCodes())
			}
			faults = append(faults, wire.Fault{Code: code})
		}
		*to = wire.FaultCodes(faults)
		return nil
	}}
}

func remoteCodes() string {
	var words []string
	for _, code := range wire.Codes() {
		if code.Domain().Demand() == wire.DemandRepair {
			words = append(words, string(code))
		}
	}
	return strings.Join(words, ", ")
}

// frameFlag takes the values of a FRAME line, with or without "FRAME:" in front.
func frameFlag(to **wire.Frame) *checked {
	return &checked{kind: "frame", set: func(s string) error {
		f, err := wire.ParseFrame("FRAME: " + strings.TrimPrefix(strings.TrimSpace(s), "FRAME:"))
		var fault wire.Fault
		if errors.As(err, &fault) {
			return fmt.Errorf("%s: want %s", fault.Hint, fault.Want)
		}
		*to = &f
		return err
	}}
}
