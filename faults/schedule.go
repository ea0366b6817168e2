package faults

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"bridgesim/bridge/point"
)

// Limits of a schedule. What lies beyond them is a mistake of its writer.
const (
	MaxFaults = 64
	maxRound  = 10_000
	maxStep   = 1_000_000
	maxFor    = 48 * time.Hour
	maxText   = 4096
	maxCaps   = 64
	maxBack   = 10_000
)

// ErrSyntax is the kind of every error about the form of a fault, an address or a schedule.
var ErrSyntax = errors.New("the fault cannot be read")

func syntax(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrSyntax, fmt.Sprintf(format, args...))
}

// ParseAddress reads the form that point.Address prints: OP@ROUND[:STATE]#STEP[/PHASE]. A missing
// "#STEP" means the first. A missing state means any: "wait.poll@2#1" is the first poll of round 2
// whatever it saw. Errors are ErrSyntax and say what was expected.
func ParseAddress(s string) (point.Address, error) {
	var a point.Address
	rest, phase, hasPhase := strings.Cut(s, "/")
	rest, step, hasStep := strings.Cut(rest, "#")
	rest, state, hasState := strings.Cut(rest, ":")
	op, round, hasRound := strings.Cut(rest, "@")
	a.Op, a.State, a.Step = point.Op(op), state, 1
	switch {
	case placeOf(a.Op) == nil:
		return a, syntax("address %q: operation %q is not known; want one of %v", s, op, Ops())
	case !hasRound:
		return a, syntax("address %q: want %s@ROUND", s, op)
	case hasPhase && !slices.Contains(phases, point.Phase(phase)):
		return a, syntax("address %q: phase %q is not known; want one of %v", s, phase, phases)
	case hasState && state == "":
		return a, syntax("address %q: a state is wanted behind the colon", s)
	}
	a.Phase = point.Phase(phase)
	var err error
	if a.Round, err = number(s, "round", round, 0, maxRound); err != nil {
		return a, err
	}
	if hasStep {
		if a.Step, err = number(s, "step", step, 1, maxStep); err != nil {
			return a, err
		}
	}
	return a, checkState(s, a)
}

var phases = []point.Phase{point.Before, point.After, point.Late}

func number(address, what, text string, least, most int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most || strconv.Itoa(n) != text {
		return 0, syntax("address %q: %s %q: want a whole number from %d to %d",
			address, what, text, least, most)
	}
	return n, nil
}

func checkState(s string, a point.Address) error {
	known := placeOf(a.Op).states
	switch {
	case a.State == "" || slices.Contains(known, a.State):
		return nil
	case known == nil:
		return syntax("address %q: %s has no states", s, a.Op)
	}
	return syntax("address %q: state %q is not known; want one of %v", s, a.State, known)
}

// String is the form that a Gherkin step holds and ParseFault reads:
//
//	sever at send.submit@2#1/after with how=fin for=3s text='two words'
//
// Parameters that are not given stay out; their defaults are the table's.
func (f Fault) String() string {
	b := []byte(string(f.Kind) + " at " + f.At.String())
	word := " with "
	for _, name := range paramNames {
		if v := f.Params.get(name); v != "" {
			b = append(append(append(b, word...), name...), '=')
			b = append(b, quote(v)...)
			word = " "
		}
	}
	return string(b)
}

// paramNames are the names of parameters, in the order in which they are printed.
var paramNames = []string{"how", "for", "code", "text", "back", "caps"}

// get is a parameter as text; "" = not given.
func (p *Params) get(name string) string {
	switch name {
	case "how":
		return p.How
	case "for":
		if p.For != 0 {
			return p.For.String()
		}
	case "code":
		if p.Code != 0 {
			return strconv.Itoa(p.Code)
		}
	case "text":
		return p.Text
	case "back":
		if p.Back != 0 {
			return strconv.Itoa(p.Back)
		}
	case "caps":
		return strings.Join(p.Caps, ",")
	}
	return ""
}

// set reads a parameter.
func (p *Params) set(name, text string) (err error) {
	switch name {
	case "how":
		p.How = text
	case "for":
		p.For, err = time.ParseDuration(text)
	case "code":
		p.Code, err = strconv.Atoi(text)
	case "text":
		p.Text = text
	case "back":
		p.Back, err = strconv.Atoi(text)
	case "caps":
		p.Caps = strings.Split(text, ",")
	default:
		return syntax("parameter %q is not known; want one of %v", name, paramNames)
	}
	if err != nil {
		return syntax("parameter %s=%s: want %s", name, text, wanted[name])
	}
	return nil
}

var wanted = map[string]string{
	"for": `a time such as "3s"`, "code": "a whole number", "back": "a whole number",
}

// plainValue needs no quotes.
var plainValue = regexp.MustCompile(`^[^\s'"]+$`)

func quote(v string) string {
	if plainValue.MatchString(v) {
		return v
	}
	return "'" + quoting.Replace(v) + "'"
}

// Gherkin's own quotes stay out of a quoted value.
var (
	quoting   = strings.NewReplacer(`\`, `\\`, "'", `\'`, `"`, `\q`, "\n", `\n`, "\r", `\r`)
	unquoting = map[byte]string{'\\': `\`, '\'': "'", 'q': `"`, 'n': "\n", 'r': "\r"}
)

// ParseFault reads what String prints and validates it. Errors are ErrSyntax.
func ParseFault(s string) (Fault, error) {
	kind, rest, ok := strings.Cut(s, " at ")
	if !ok {
		return Fault{}, syntax(`%q: want KIND at ADDRESS [with NAME=VALUE …]`, s)
	}
	address, settings, has := strings.Cut(rest, " with ")
	at, err := ParseAddress(address)
	if err != nil {
		return Fault{}, err
	}
	f := Fault{Kind: Kind(kind), At: at}
	if has {
		if err := f.Params.parse(settings); err != nil {
			return Fault{}, err
		}
	}
	return f, f.Validate()
}

// parse reads NAME=VALUE pairs.
func (p *Params) parse(s string) error {
	for s != "" {
		name, rest, ok := strings.Cut(s, "=")
		if !ok {
			return syntax("%q: want NAME=VALUE", s)
		}
		value, left, err := takeValue(rest)
		if err != nil {
			return err
		}
		if p.get(name) != "" {
			return syntax("parameter %s is given twice", name)
		}
		if err := p.set(name, value); err != nil {
			return err
		}
		s = left
	}
	return nil
}

// takeValue reads one value, quoted or not, and returns what follows the blank behind it.
func takeValue(s string) (value, rest string, err error) {
	if !strings.HasPrefix(s, "'") {
		value, rest, _ = strings.Cut(s, " ")
		if value == "" {
			return "", "", syntax("a value is missing")
		}
		return value, rest, nil
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\'' && (i+1 == len(s) || s[i+1] == ' '):
			return b.String(), strings.TrimPrefix(s[i+1:], " "), nil
		case s[i] == '\\' && i+1 < len(s) && unquoting[s[i+1]] != "":
			b.WriteString(unquoting[s[i+1]])
			i++
		default:
			b.WriteByte(s[i])
		}
	}
	return "", "", syntax("%s: the closing quote is missing", s)
}

// Validate checks that the fault makes sense: a known kind, an address where it can strike on some
// engine, parameters that it reads, within the limits. Errors are ErrSyntax.
func (f Fault) Validate() error {
	info, ok := Of(f.Kind)
	if !ok {
		return syntax("kind %q is not known; want one of %v", f.Kind, Kinds())
	}
	if err := f.checkAddress(info); err != nil {
		return err
	}
	for _, name := range paramNames {
		if f.Params.get(name) != "" && !info.reads(name) {
			return syntax(
				"%s: %s reads no parameter %q; it reads %s",
				f,
				f.Kind,
				name,
				info.names(),
			)
		}
	}
	return f.checkParams(info)
}

func (i *Info) names() string {
	if len(i.Params) == 0 {
		return "none"
	}
	var names []string
	for _, p := range i.Params {
		names = append(names, p.Name)
	}
	return strings.Join(names, ", ")
}

func (f Fault) checkAddress(info *Info) error {
	again, err := ParseAddress(f.At.String())
	switch {
	case err != nil:
		return err
	case again != f.At:
		return syntax("%s: the address reads back as %s", f, again)
	case f.At.Phase == "":
		return syntax("%s: want a phase at the end of the address: /before, /after or /late", f)
	case !info.Available(EngineVirtual, f.At.Op, f.At.Phase) &&
		!info.Available(EngineChromium, f.At.Op, f.At.Phase):
		return syntax("%s: %s cannot strike at %s/%s", f, f.Kind, f.At.Op, f.At.Phase)
	}
	return nil
}

// hows are the ways in which a kind can strike.
func hows(k Kind) []string {
	if k == SecondClient {
		return []string{HowType, HowSend}
	}
	return []string{HowReset, HowFin, HowClose}
}

// inWords is "a, b or c".
func inWords(list []string) string {
	last := len(list) - 1
	return strings.Join(list[:last], ", ") + " or " + list[last]
}

func (f Fault) checkParams(info *Info) error {
	p := f.Params
	switch {
	case info.reads("how") && p.How != "" && !slices.Contains(hows(f.Kind), p.How):
		return syntax("%s: how=%s: want %s", f, p.How, inWords(hows(f.Kind)))
	case p.How == HowSend && p.Text == "":
		return syntax("%s: how=%s: it needs a text to send", f, p.How)
	case p.For < 0 || p.For > maxFor:
		return syntax("%s: for=%s: want 0 to %s", f, p.For, maxFor)
	case len(p.Text) > maxText:
		return syntax(
			"the text of %s has %d bytes, at most %d are taken",
			f.Kind,
			len(p.Text),
			maxText,
		)
	case p.Back < 0 || p.Back > maxBack:
		return syntax("%s: back=%d: want 1 to %d", f, p.Back, maxBack)
	case f.Kind == Sever && p.Code != 0 && (p.Code < 1000 || p.Code > 4999):
		return syntax("%s: code=%d: a close code is 1000 to 4999", f, p.Code)
	case len(p.Caps) > maxCaps:
		return syntax("%s: %d capabilities, at most %d are taken", f.Kind, len(p.Caps), maxCaps)
	}
	for _, c := range p.Caps {
		if !capability.MatchString(c) {
			return syntax("%s: capability %q: want letters, digits, dots, at most 64", f.Kind, c)
		}
	}
	return nil
}

var capability = regexp.MustCompile(`^[a-z0-9_.-]{1,64}$`)

// Validate checks every fault, and their number.
func (s Schedule) Validate() error {
	if len(s) > MaxFaults {
		return syntax("a schedule of %d faults; at most %d are taken", len(s), MaxFaults)
	}
	for i, f := range s {
		if err := f.Validate(); err != nil {
			return fmt.Errorf("fault %d: %w", i+1, err)
		}
	}
	return nil
}

// String is the schedule in one line, for headers and reports: the faults in their order.
func (s Schedule) String() string {
	parts := make([]string, len(s))
	for i, f := range s {
		parts[i] = f.String()
	}
	return strings.Join(parts, "; ")
}

// ParseSchedule reads a schedule from JSON, whole or not at all. Errors are ErrSyntax.
func ParseSchedule(data []byte) (Schedule, error) {
	var s Schedule
	if len(data) > MaxFaults*(maxText*6+8192) {
		return nil, syntax("a schedule of %d bytes", len(data))
	}
	if err := json.Unmarshal(data, &s); err != nil {
		if !errors.Is(err, ErrSyntax) {
			err = syntax("a schedule is a JSON list of faults: %v", err)
		}
		return nil, err
	}
	if err := s.Validate(); err != nil {
		return nil, err
	}
	return s, nil
}
