package exchange

import (
	"fmt"
	"regexp"
	"slices"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
)

// SchemaError refuses an entity. It names the field, and never its content.
type SchemaError struct {
	Entity string
	Field  string // empty when the JSON itself is at fault
	Fault  InputFault
}

func (e *SchemaError) Error() string {
	if e.Field == "" {
		return fmt.Sprintf("exchange: %s: %s", e.Entity, e.Fault)
	}
	return fmt.Sprintf("exchange: %s: field %s: %s", e.Entity, e.Field, e.Fault)
}

// Entity is what has a closed schema.
type Entity interface {
	Exchange | Message | EndpointRef | Lease | DeliveryAttempt | RuntimeEvidence | Reconciliation |
		Result | Receipt | Consumer | Event | ExchangeDisposition | EndpointDeclaration | Grant
}

// Decode reads one entity: exactly its fields, each in its form, and nothing else.
func Decode[E Entity](text []byte) (E, error) {
	var e, none E
	if fault := scan(text); fault != "" {
		return none, &SchemaError{Entity: nameOf(e), Fault: fault}
	}
	if err := json.Unmarshal(text, &e, json.RejectUnknownMembers(true)); err != nil {
		return none, &SchemaError{Entity: nameOf(e), Fault: faultOf(err)}
	}
	return e, Validate(e)
}

// Encode writes one entity, which is as valid as one that is read.
func Encode[E Entity](e E) ([]byte, error) {
	if err := Validate(e); err != nil {
		return nil, err
	}
	return Canonical(e)
}

// Validate checks every field of an entity.
func Validate[E Entity](e E) error {
	c := check{entity: nameOf(e)}
	switch v := any(e).(type) {
	case Exchange:
		c.exchange(v)
	case Message:
		c.message(v)
	case EndpointRef:
		c.endpoint("", v)
	case Lease:
		c.lease("", v)
	case DeliveryAttempt:
		c.attempt("", v)
	case RuntimeEvidence:
		c.evidence(v)
	case Reconciliation:
		c.reconciliation(v)
	case Result:
		c.result(v)
	case Receipt:
		c.receipt(v)
	case Consumer:
		c.consumer(v)
	case Event:
		c.event(v)
	case ExchangeDisposition:
		c.disposition(v)
	case EndpointDeclaration:
		c.declaration(v)
	case Grant:
		c.grant(v)
	}
	if c.err == nil {
		return nil // a nil pointer in an error is not nil
	}
	return c.err
}

func nameOf(e any) string { return fmt.Sprintf("%T", e)[len("exchange."):] }

// check keeps the first fault that it meets.
type check struct {
	entity string
	err    *SchemaError
}

func (c *check) that(ok bool, field string) {
	if !ok && c.err == nil {
		c.err = &SchemaError{Entity: c.entity, Field: field, Fault: BadField}
	}
}

func (c *check) id(p Prefix, field, id string) {
	_, err := ParseID(p, id)
	c.that(err == nil, field)
}

func (c *check) at(field string, i Instant) {
	_, err := i.Time()
	c.that(err == nil, field)
}

func (c *check) maybe(field string, i Instant) {
	if i != "" {
		c.at(field, i)
	}
}

// Names are short: what is longer is text, and has no place in a name.
const maxName = 256

func (c *check) name(field, s string) {
	c.that(s != "" && len(s) <= maxName && utf8.ValidString(s), field)
}

var digestForm = regexp.MustCompile(`^[0-9a-f]{64}$`)

func (c *check) digest(field, s string) { c.that(digestForm.MatchString(s), field) }

func oneOf[T comparable](c *check, field string, v T, among ...T) {
	c.that(slices.Contains(among, v), field)
}
