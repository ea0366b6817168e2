package session

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
)

// disk is a files port whose power can be cut. What a program sees (now) and what survives
// (durable) are kept apart, for contents and for names.
type disk struct {
	now, durable map[string]*inode
	ops          int
	cutAt        int           // the operation in which the power goes; 0 never
	fail         map[int]error // operations that fail; a write then leaves half of its bytes
	lie          bool          // syncs do nothing
	log          []string
}

type inode struct{ now, durable []byte }

var errPower = errors.New("power is cut")

func newDisk() *disk {
	return &disk{now: map[string]*inode{}, durable: map[string]*inode{}, fail: map[int]error{}}
}

// op counts one operation and decides its fate.
func (d *disk) op(name string) error {
	d.ops++
	d.log = append(d.log, name)
	if d.cutAt != 0 && d.ops >= d.cutAt {
		return errPower
	}
	return d.fail[d.ops]
}

// survival is what a lost power leaves of what was not synced.
type survival struct {
	names   bool   // unsynced renames and creations survive
	content string // of unsynced bytes: "none", "all", "half", "zeros"
}

func survivals() []survival {
	var all []survival
	for _, c := range []string{"none", "all", "half", "zeros"} {
		all = append(all, survival{true, c}, survival{false, c})
	}
	return all
}

// reboot is the disk after the power came back.
func (d *disk) reboot(s survival) *disk {
	names := d.durable
	if s.names {
		names = d.now
	}
	next := newDisk()
	for name, in := range names {
		b := in.survive(s.content)
		next.now[name] = &inode{now: b, durable: bytes.Clone(b)}
	}
	next.durable = maps.Clone(next.now)
	return next
}

// survive mixes what was synced with what was not: a disk may write any part of a change first.
func (in *inode) survive(content string) []byte {
	from := 0
	for from < len(in.now) && from < len(in.durable) && in.now[from] == in.durable[from] {
		from++
	}
	half := from + (len(in.now)-from)/2
	switch content {
	case "none":
		return bytes.Clone(in.durable)
	case "all":
		return bytes.Clone(in.now)
	case "half":
		return overwrite(bytes.Clone(in.durable), in.now[:half], 0)
	default: // the file has grown, but its new blocks were never written
		return overwrite(bytes.Clone(in.now[:from]), make([]byte, len(in.now)-from), from)
	}
}

// overwrite is what WriteAt does to a file's content.
func overwrite(old, p []byte, off int) []byte {
	if grown := off + len(p) - len(old); grown > 0 {
		old = append(old, make([]byte, grown)...)
	}
	copy(old[off:], p)
	return old
}

func (d *disk) Read(name string, limit int64) ([]byte, error) {
	if err := d.op("read " + name); err != nil {
		return nil, err
	}
	in := d.now[name]
	switch {
	case in == nil:
		return nil, fs.ErrNotExist
	case int64(len(in.now)) > limit:
		return nil, ErrTooLarge
	}
	return bytes.Clone(in.now), nil
}

func (d *disk) Create(name string) (file, error) {
	if err := d.op("create " + name); err != nil {
		return nil, err
	}
	if d.now[name] != nil {
		return nil, fs.ErrExist
	}
	d.now[name] = &inode{}
	return &handle{d, d.now[name]}, nil
}

func (d *disk) Open(name string) (file, error) {
	if err := d.op("open " + name); err != nil {
		return nil, err
	}
	if d.now[name] == nil {
		return nil, fs.ErrNotExist
	}
	return &handle{d, d.now[name]}, nil
}

func (d *disk) Rename(from, to string) error {
	if err := d.op("rename " + from); err != nil {
		return err
	}
	if d.now[from] == nil {
		return fs.ErrNotExist
	}
	d.now[to] = d.now[from]
	delete(d.now, from)
	return nil
}

func (d *disk) Remove(name string) error {
	if err := d.op("remove " + name); err != nil {
		return err
	}
	if d.now[name] == nil {
		return fs.ErrNotExist
	}
	delete(d.now, name)
	return nil
}

func (d *disk) Same(f file, name string) (bool, int64, error) {
	in := d.now[name]
	if in == nil {
		return false, 0, nil
	}
	return in == f.(*handle).in, int64(len(in.now)), nil
}

func (d *disk) Exists(name string) (bool, error) { return d.now[name] != nil, nil }

func (d *disk) SyncDir() error {
	if err := d.op("sync folder"); err != nil {
		return err
	}
	if !d.lie {
		d.durable = maps.Clone(d.now)
	}
	return nil
}

func (d *disk) Close() error { return nil }

type handle struct {
	d  *disk
	in *inode
}

func (h *handle) WriteAt(p []byte, off int64) (int, error) {
	err := h.d.op("write")
	if err != nil {
		p = p[:len(p)/2]
	}
	h.in.now = overwrite(bytes.Clone(h.in.now), p, int(off))
	return len(p), err
}

func (h *handle) Truncate(size int64) error {
	if err := h.d.op("truncate"); err != nil {
		return err
	}
	h.in.now = h.in.now[:size:size]
	return nil
}

func (h *handle) Sync() error {
	if err := h.d.op("sync"); err != nil {
		return err
	}
	if !h.d.lie {
		h.in.durable = bytes.Clone(h.in.now)
	}
	return nil
}

func (h *handle) Close() error { return nil }
