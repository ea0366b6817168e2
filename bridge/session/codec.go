package session

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strconv"
	"strings"

	"bridgesim/bridge/wire"
)

// Format is the version of the journal's format that this program writes, and the newest it reads.
const Format = 1

// Limits of a journal. A session of a thousand rounds stays far below them.
const (
	maxJournal = 64 << 20
	maxLine    = 8 << 20
)

// The journal is text, one line per record, so that a person can read what happened:
//
//	pi-bridge-journal 1 9f83a7c1d42e650b 5d1c0a2f      magic, format, sid, checksum
//	0000009c 81b3f00d {"kind":"new","at":…}            length, checksum, record
//
// Lengths and checksums are eight lower-case hexadecimal digits. A checksum is the CRC-32C of the
// line's record, continued from the line before: a line that is missing, doubled, moved or from
// another session breaks the chain, and only a clean cut at the end goes unnoticed.
const (
	magic      = "pi-bridge-journal"
	digits     = 8
	prefixSize = digits + 1 + digits + 1
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// PlaceError says where a journal cannot be trusted, and what was expected there.
type PlaceError struct {
	File   string
	Line   int   // from 1; the header is line 1
	Offset int64 // of the line's first byte
	Want   string
	Got    string
	Err    error // ErrCorrupt, ErrNewer, ErrForeign or ErrTooLarge
}

// Error names file, line, byte, and what was expected.
func (e *PlaceError) Error() string {
	return fmt.Sprintf("%s: line %d (byte %d): want %s, got %s: %v",
		e.File, e.Line, e.Offset, e.Want, e.Got, e.Err)
}

// Unwrap gives the kind.
func (e *PlaceError) Unwrap() error { return e.Err }

// appendHeader writes the first line and returns the checksum that the first record continues.
func appendHeader(dst []byte, sid string) ([]byte, uint32) {
	text := fmt.Sprintf("%s %d %s", magic, Format, sid)
	sum := crc32.Checksum([]byte(text), castagnoli)
	dst = append(dst, text...)
	dst = append(dst, ' ')
	dst = appendHex(dst, sum)
	return append(dst, '\n'), sum
}

// appendLine writes one record and returns the checksum that the next one continues.
func appendLine(dst []byte, sum uint32, r *Record) ([]byte, uint32, error) {
	body, err := json.Marshal(r)
	if err != nil {
		return dst, sum, err
	}
	if len(body)+prefixSize+1 > maxLine {
		return dst, sum, ErrTooLarge
	}
	sum = crc32.Update(sum, castagnoli, body)
	dst = appendHex(dst, uint32(len(body)))
	dst = append(dst, ' ')
	dst = appendHex(dst, sum)
	dst = append(dst, ' ')
	dst = append(dst, body...)
	return append(dst, '\n'), sum, nil
}

func appendHex(dst []byte, v uint32) []byte {
	return hex.AppendEncode(dst, []byte{byte(v >> 24), byte(v >> 16), byte(v >> 8), byte(v)})
}

// parsed is what a journal's bytes hold.
type parsed struct {
	sid     string
	records []Record
	good    int64  // bytes that hold header and whole records
	sum     uint32 // checksum after them
	torn    bool   // something follows that is no whole record
}

// parse reads a whole journal. It returns every record or an error that names the place. Only the
// very end may be incomplete: that is a write which never finished.
func parse(file string, data []byte) (parsed, error) {
	rd := reader{file: file, data: data}
	if err := rd.header(); err != nil {
		return parsed{}, err
	}
	for rd.good < int64(len(data)) && !rd.torn {
		if err := rd.record(); err != nil {
			return parsed{}, err
		}
	}
	return rd.parsed, nil
}

type reader struct {
	parsed
	file string
	data []byte
	line int
}

func (rd *reader) fault(kind error, want, got string) error {
	return &PlaceError{
		File: rd.file, Line: rd.line + 1, Offset: rd.good, Want: want, Got: got, Err: kind,
	}
}

// header reads the first line. It is written by rename, so it is whole or not ours. The format is
// judged before the checksum: a newer program may compute another.
func (rd *reader) header() error {
	head, _, whole := bytes.Cut(rd.data[:min(len(rd.data), 128)], []byte{'\n'})
	f := strings.Split(string(head), " ")
	if f[0] != magic {
		kind := ErrForeign
		if strings.HasPrefix(magic, f[0]) {
			kind = ErrCorrupt // an empty or cut-off file
		}
		return rd.fault(kind, strconv.Quote(magic), short(head))
	}
	if len(f) > 1 {
		if v, err := strconv.Atoi(f[1]); err == nil && v > Format && whole {
			return rd.fault(ErrNewer, fmt.Sprintf("format %d", Format), "format "+f[1])
		}
	}
	want, sum := []byte(nil), uint32(0)
	if len(f) == 4 && wire.IsSID(f[2]) {
		want, sum = appendHeader(nil, f[2])
	}
	if !whole || want == nil || !bytes.Equal(want, rd.data[:len(head)+1]) {
		return rd.fault(ErrCorrupt, "a whole header with its checksum", short(head))
	}
	rd.sid, rd.sum, rd.good, rd.line = f[2], sum, int64(len(want)), 1
	return nil
}

// record reads the next line, or finds the torn end.
func (rd *reader) record() error {
	rest := rd.data[rd.good:]
	end := bytes.IndexByte(rest, '\n')
	last := end < 0 || end == len(rest)-1
	line := rest
	if end >= 0 {
		line = rest[:end]
	}
	if len(line) >= maxLine {
		return rd.fault(ErrTooLarge, fmt.Sprintf("a line under %d bytes", maxLine),
			fmt.Sprintf("%d bytes", len(line)))
	}
	body, sum, problem := rd.open(line)
	switch {
	case problem == "" && end >= 0:
		return rd.accept(body, sum, int64(end)+1)
	case last && !tooLong(line, end >= 0):
		rd.torn = true
		return nil
	}
	return rd.fault(ErrCorrupt, "a whole record", problem)
}

// open checks length and checksum of one line and returns the record's text.
func (rd *reader) open(line []byte) (body []byte, sum uint32, problem string) {
	size, ok1 := hexAt(line, 0)
	stored, ok2 := hexAt(line, digits+1)
	if !ok1 || !ok2 || len(line) < prefixSize {
		return nil, 0, "no length and checksum at " + short(line)
	}
	body = line[prefixSize:]
	if int(size) != len(body) {
		return nil, 0, fmt.Sprintf("%d bytes where the length says %d", len(body), size)
	}
	if sum = crc32.Update(rd.sum, castagnoli, body); sum != stored {
		return nil, 0, fmt.Sprintf("checksum %08x where the line says %08x", sum, stored)
	}
	return body, sum, ""
}

// tooLong tells a damaged line from a torn one: a cut write is never longer than it says, so two
// lines whose break was damaged are not taken for one torn line.
func tooLong(line []byte, ended bool) bool {
	size, ok := hexAt(line, 0)
	whole := int(size) + prefixSize
	if !ended {
		whole++ // the line break, damaged into another byte
	}
	return ok && len(line) > whole
}

func (rd *reader) accept(body []byte, sum uint32, size int64) error {
	r, err := decodeRecord(body)
	if err != nil {
		return rd.fault(ErrCorrupt, "a record", err.Error())
	}
	if len(rd.records) == 0 && r.SID != rd.sid {
		return rd.fault(ErrCorrupt, "the first record of session "+rd.sid, "sid "+strconv.Quote(r.SID))
	}
	rd.records = append(rd.records, r)
	rd.sum, rd.good, rd.line = sum, rd.good+size, rd.line+1
	return nil
}

// decodeRecord is strict: an unknown field means a newer format that did not say so.
func decodeRecord(body []byte) (Record, error) {
	var r Record
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		return Record{}, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return Record{}, errors.New("text after the record")
	}
	return r, nil
}

// hexAt reads eight lower-case hexadecimal digits and the space after them.
func hexAt(line []byte, at int) (uint32, bool) {
	if len(line) < at+digits+1 || line[at+digits] != ' ' {
		return 0, false
	}
	var v uint32
	for _, c := range line[at : at+digits] {
		switch {
		case c >= '0' && c <= '9':
			v = v<<4 | uint32(c-'0')
		case c >= 'a' && c <= 'f':
			v = v<<4 | uint32(c-'a'+10)
		default:
			return 0, false
		}
	}
	return v, true
}

// short quotes the beginning of what was found, for a message.
func short(b []byte) string {
	const most = 40
	if len(b) > most {
		return strconv.Quote(string(b[:most])) + "…"
	}
	return strconv.Quote(string(b))
}
