package faults

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"
)

// The JSON of a fault is the same in recordings and in schedules: addresses and times as people
// write them.
//
//	{"kind":"sever","at":"send.submit@2#1/after","params":{"how":"fin"}}

type wireFault struct {
	Kind   Kind        `json:"kind"`
	At     string      `json:"at"`
	Params *wireParams `json:"params,omitempty"`
}

type wireParams struct {
	How  string   `json:"how,omitempty"`
	For  string   `json:"for,omitempty"`
	Code int      `json:"code,omitempty"`
	Text string   `json:"text,omitempty"`
	Back int      `json:"back,omitempty"`
	Caps []string `json:"caps,omitempty"`
}

// MarshalJSON writes the fault with its address as one text.
func (f Fault) MarshalJSON() ([]byte, error) {
	w := wireFault{Kind: f.Kind, At: f.At.String()}
	p := f.Params
	params := wireParams{How: p.How, Code: p.Code, Text: p.Text, Back: p.Back, Caps: p.Caps}
	if p.For != 0 {
		params.For = p.For.String()
	}
	if p.How != "" || p.For != 0 || p.Code != 0 || p.Text != "" || p.Back != 0 || p.Caps != nil {
		w.Params = &params
	}
	return json.Marshal(w)
}

// UnmarshalJSON reads what MarshalJSON writes; an unknown field is an error.
func (f *Fault) UnmarshalJSON(data []byte) error {
	var w wireFault
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&w); err != nil {
		return fmt.Errorf("%w: %w", ErrSyntax, err)
	}
	at, err := ParseAddress(w.At)
	if err != nil {
		return err
	}
	read := Fault{Kind: w.Kind, At: at}
	if p := w.Params; p != nil {
		read.Params = Params{How: p.How, Code: p.Code, Text: p.Text, Back: p.Back, Caps: p.Caps}
		if p.For != "" {
			if read.Params.For, err = time.ParseDuration(p.For); err != nil {
				return syntax("for=%q: want %s", p.For, wanted["for"])
			}
		}
	}
	*f = read
	return nil
}
