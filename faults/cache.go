package faults

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"bridgesim/bridge/session"
)

// Cache is pi's state folder as the outside world can reach it, while no process holds it open (but
// for Lose, which can happen at any time).
type Cache interface {
	Lose() error
	Corrupt() error
	// Age brings an old copy back that lacks the last records; it returns how many are left.
	Age(back int) (left int, err error)
	Tear() error
	// Renew lets the journal claim a newer format.
	Renew() error
	// Swap makes it the journal of another session, OtherSID.
	Swap() error
}

// OtherSID is the session of a journal that was swapped; no session of a run has it.
const OtherSID = "0ddba11c0ffee000"

// swap gives the journal in a store another sid.
func swap(s session.Rewriter, records []session.Record) error {
	if len(records) == 0 {
		return errNoJournal
	}
	records = slices.Clone(records)
	records[0].SID = OtherSID
	return s.Rewrite(records)
}

var errNoJournal = errors.New("pi has no journal yet")

// MemoryCache reaches a store in memory.
func MemoryCache(m *session.Memory) Cache { return memoryCache{m} }

type memoryCache struct{ m *session.Memory }

func (c memoryCache) there() error {
	if c.m.Len() == 0 {
		return errNoJournal
	}
	return nil
}

func (c memoryCache) Lose() error {
	defer c.m.Clear()
	return c.there()
}

func (c memoryCache) Corrupt() error {
	defer c.m.Corrupt()
	return c.there()
}

func (c memoryCache) Age(back int) (int, error) {
	if err := c.there(); err != nil {
		return 0, err
	}
	c.m.Age(c.m.Len() - back)
	return c.m.Len(), nil
}

func (c memoryCache) Tear() error {
	defer c.m.Tear()
	return c.there()
}

func (c memoryCache) Renew() error {
	err := c.there()
	if err == nil {
		c.m.SetVersion(session.Format + 1)
	}
	return err
}

func (c memoryCache) Swap() error {
	records, _, err := c.m.Load()
	if err != nil {
		return errors.Join(c.there(), err)
	}
	return swap(c.m, records)
}

// FolderCache reaches the journal in a state folder. It changes bytes and knows lines, no more:
// what happens to a file happens without the program's help.
func FolderCache(dir string) Cache { return folderCache{filepath.Join(dir, "journal")} }

type folderCache struct{ path string }

// Swap needs the journal's own program: every line has a sum.
func (c folderCache) Swap() error {
	s, err := session.OpenFolder(filepath.Dir(c.path))
	if err != nil {
		return err
	}
	records, _, err := s.Load()
	switch {
	case errors.Is(err, session.ErrNoSession):
		err = errNoJournal
	case err == nil:
		err = swap(s, records)
	}
	return errors.Join(err, s.Close())
}

func (c folderCache) Lose() error { return c.missing(os.Remove(c.path)) }

func (c folderCache) missing(err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return errNoJournal
	}
	return err
}

// change replaces the file by a changed copy, as an editor or a backup does.
func (c folderCache) change(f func(data []byte) ([]byte, error)) error {
	data, err := os.ReadFile(c.path)
	if err != nil {
		return c.missing(err)
	}
	if data, err = f(data); err != nil {
		return err
	}
	copied := c.path + ".copy"
	if err := os.WriteFile(copied, data, 0o600); err != nil {
		return err
	}
	return os.Rename(copied, c.path)
}

func (c folderCache) Corrupt() error {
	return c.change(func(data []byte) ([]byte, error) {
		if len(data) == 0 {
			return nil, errNoJournal
		}
		data[len(data)/2] ^= 0x20
		return data, nil
	})
}

func (c folderCache) Tear() error {
	return c.change(func(data []byte) ([]byte, error) { return data[:max(len(data)-3, 0)], nil })
}

// Age keeps the header and all but the last lines.
func (c folderCache) Age(back int) (left int, err error) {
	err = c.change(func(data []byte) ([]byte, error) {
		lines := bytes.SplitAfter(data, []byte("\n"))
		lines = lines[:max(len(lines)-1, 0)] // nothing stands behind the last line end
		if len(lines) == 0 {
			return nil, errNoJournal
		}
		left = max(len(lines)-1-back, 0)
		return bytes.Join(lines[:left+1], nil), nil
	})
	return left, err
}

func (c folderCache) Renew() error {
	return c.change(func(data []byte) ([]byte, error) {
		name, rest, ok := bytes.Cut(data, []byte(" "))
		_, behind, ok2 := bytes.Cut(rest, []byte(" "))
		if !ok || !ok2 {
			return nil, errNoJournal
		}
		return fmt.Appendf(nil, "%s %d %s", name, session.Format+1, behind), nil
	})
}
