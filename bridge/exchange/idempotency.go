package exchange

import (
	"fmt"
)

// IdempotencyKeyConflict is the code of a key that was used for another request.
const IdempotencyKeyConflict = "IDEMPOTENCY_KEY_CONFLICT"

// ConflictError refuses a create whose key stands for another request. Nothing was stored.
type ConflictError struct{ Stored, Asked string } // digests

func (e *ConflictError) Error() string {
	return fmt.Sprintf("exchange: %s: the key stands for request %.12s, not %.12s",
		IdempotencyKeyConflict, e.Stored, e.Asked)
}

// Key names one create within a namespace, without any doubt where one part ends: it is the text of
// a JSON array. Its zero value is no key, and then each create is a new one.
type Key struct{ Namespace, Key string }

// Text is the form in which a key is stored.
func (k Key) Text() string {
	text, err := Canonical([]string{k.Namespace, k.Key})
	if err != nil {
		return "" // text that is not UTF-8; Repeat refuses it
	}
	return string(text)
}

// Creation is what a key stands for.
type Creation struct {
	Digest    string `json:"digest"`
	MessageID string `json:"messageId"`
}

// Repeat tells what a create with this key and request is: new (nil), the same again (the record
// that is there), or a conflict. The digest is made before anything is looked up.
func Repeat(
	request any, k Key, lookup func(key string) (*Creation, error),
) (digest string, was *Creation, err error) {
	if digest, err = Digest(request); err != nil || k.Key == "" {
		return digest, nil, err
	}
	text := k.Text()
	if text == "" {
		return "", nil, &DigestInputError{Malformed}
	}
	was, err = lookup(text)
	if err != nil || was == nil || was.Digest == digest {
		return digest, was, err
	}
	return "", nil, &ConflictError{Stored: was.Digest, Asked: digest}
}
