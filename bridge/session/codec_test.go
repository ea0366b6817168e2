package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"hash/crc32"
	"reflect"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"pgregory.net/rapid"
)

// journalOf is the bytes of a journal, and where each whole prefix of it ends: ends[0] is the
// header.
func journalOf(records []Record) (data []byte, ends []int) {
	data, sum := appendHeader(nil, records[0].SID)
	ends = append(ends, len(data))
	for i := range records {
		var err error
		if data, sum, err = appendLine(data, sum, &records[i]); err != nil {
			panic(err)
		}
		ends = append(ends, len(data))
	}
	return data, ends
}

// isPrefix tells whether got are the first records of all.
func isPrefix(got, all []Record) bool {
	return len(got) <= len(all) && (len(got) == 0 || reflect.DeepEqual(got, all[:len(got)]))
}

func clearError(err error) bool {
	var place *PlaceError
	return errors.As(err, &place) && place.File != "" && place.Line > 0 && place.Want != "" &&
		(errors.Is(err, ErrCorrupt) || errors.Is(err, ErrForeign) || errors.Is(err, ErrNewer))
}

var _ = Describe("a journal's bytes", func() {
	records := quiet(3)
	data, ends := journalOf(records)

	It("are read back whole", func() {
		p, err := parse("journal", data)
		Expect(err).NotTo(HaveOccurred())
		Expect(p.torn).To(BeFalse())
		Expect(p.sid).To(Equal(testSID))
		Expect(p.records).To(Equal(records))
	})

	It("cut anywhere, give the whole records before the cut, and say that the end is torn", func() {
		for cut := range data {
			p, err := parse("journal", data[:cut])
			if cut < ends[0] {
				Expect(err).To(MatchError(ErrCorrupt), "the header is written by rename: byte %d", cut)
				Expect(clearError(err)).To(BeTrue())
				continue
			}
			whole := 0
			for whole+1 < len(ends) && ends[whole+1] <= cut {
				whole++
			}
			Expect(err).NotTo(HaveOccurred(), "byte %d", cut)
			Expect(p.records).To(HaveLen(whole), "byte %d", cut)
			Expect(isPrefix(p.records, records)).To(BeTrue(), "byte %d", cut)
			Expect(p.torn).To(Equal(cut != ends[whole]), "byte %d", cut)
			Expect(p.good).To(Equal(int64(ends[whole])), "byte %d", cut)
		}
	})

	It("with any byte changed, never give a wrong record", func() {
		last := ends[len(ends)-2]
		for at := range data {
			for _, flip := range []byte{0x01, 0x80, 0x20, 0xff, data[at] ^ '\n', data[at] ^ ' '} {
				if flip == 0 {
					continue
				}
				bad := bytes.Clone(data)
				bad[at] ^= flip
				p, err := parse("journal", bad)
				if err != nil {
					Expect(clearError(err)).To(BeTrue(), "byte %d: %v", at, err)
					continue
				}
				Expect(p.torn).To(BeTrue(), "byte %d ^ %02x went unnoticed", at, flip)
				Expect(at).To(BeNumerically(">=", last), "a damaged middle was taken for a torn end")
				Expect(p.records).To(Equal(records[:len(records)-1]))
			}
		}
	})

	It("whose last blocks were never written, have a torn end wherever the block begins", func() {
		for from := ends[len(ends)-2]; from < len(data); from++ {
			bad := append(bytes.Clone(data[:from]), make([]byte, len(data)-from)...)
			p, err := parse("journal", bad)
			Expect(err).NotTo(HaveOccurred(), "byte %d", from)
			Expect(p.torn).To(BeTrue())
			Expect(p.records).To(Equal(records[:len(records)-1]))
		}
	})

	It("with a line missing, doubled, moved or from another session, are damaged", func() {
		lines := bytes.SplitAfter(data, []byte{'\n'})
		lines = lines[:len(lines)-1]
		other, otherEnds := journalOf(append(list(with(born(), func(r *Record) {
			r.SID = "00000000000000ff"
		})), records[1:]...))
		join := func(l ...[]byte) []byte { return bytes.Join(l, nil) }
		for _, bad := range [][]byte{
			join(join(lines[:3]...), join(lines[4:]...)),
			join(join(lines[:4]...), join(lines[3:]...)),
			join(join(lines[:3]...), lines[4], lines[3], join(lines[5:]...)),
			join(join(lines[:3]...), other[otherEnds[2]:]),
			join(other[:otherEnds[0]], data[ends[0]:]),
		} {
			_, err := parse("journal", bad)
			Expect(err).To(MatchError(ErrCorrupt))
			Expect(clearError(err)).To(BeTrue())
		}
	})

	It("with zeros or rubbish after the last record, have a torn end", func() {
		for _, tail := range []string{"\x00\x00\x00", "0000", strings.Repeat("\x00", 5000), "rubbish\n"} {
			p, err := parse("journal", append(bytes.Clone(data), tail...))
			Expect(err).NotTo(HaveOccurred())
			Expect(p.torn).To(BeTrue())
			Expect(p.records).To(Equal(records))
		}
	})

	DescribeTable("that are not ours name file, line, byte and what was expected",
		func(text string, kind error, message string) {
			_, err := parse("/state/journal", []byte(text))
			Expect(err).To(MatchError(kind))
			Expect(clearError(err)).To(BeTrue())
			Expect(err.Error()).To(HavePrefix("/state/journal: line 1 (byte 0): want "))
			Expect(err.Error()).To(ContainSubstring(message))
		},
		Entry("empty", "", ErrCorrupt, `want "pi-bridge-journal", got ""`),
		Entry("a note", "buy milk\n", ErrForeign, `got "buy milk"`),
		Entry("an image", "\x89PNG\r\n\x1a\n", ErrForeign, `got "\x89PNG\r"`),
		Entry("newer", "pi-bridge-journal 2 anything else\n", ErrNewer, "want format 1, got format 2"),
		Entry("older than any", "pi-bridge-journal 0 9f83a7c1d42e650b 00000000\n", ErrCorrupt, "header"),
		Entry("no sid", "pi-bridge-journal 1 9f83 00000000\n", ErrCorrupt, "header"),
		Entry("no end", "pi-bridge-journal 1 "+strings.Repeat("9", 300), ErrCorrupt, "header"),
	)

	It("with a record of fields that this program does not know, are damaged", func() {
		for _, body := range []string{
			`{"kind":"new","at":"2000-01-01T00:00:00Z","sid":"` + testSID + `","future":1}`,
			`{"kind":"new","at":"2000-01-01T00:00:00Z","sid":"` + testSID + `"} {}`,
			`[]`,
			`{"kind":"new","at":"2000-01-01T00:00:00Z","sid":"00000000000000ff"}`,
		} {
			head, sum := appendHeader(nil, testSID)
			_, err := parse("journal", rawLine(head, sum, body))
			Expect(err).To(MatchError(ErrCorrupt), body)
			Expect(err.Error()).To(ContainSubstring("line 2 (byte 46)"))
		}
	})

	It("hold no record over the limit", func() {
		big := settled(1)
		big.Receipt = strings.Repeat("x", maxLine)
		_, _, err := appendLine(nil, 0, &big)
		Expect(err).To(MatchError(ErrTooLarge))
		long := append(bytes.Clone(data), bytes.Repeat([]byte("x"), maxLine)...)
		_, err = parse("journal", long)
		Expect(err).To(MatchError(ErrTooLarge))
	})
})

// rawLine appends a line with right length and checksum, whatever its body is.
func rawLine(dst []byte, sum uint32, body string) []byte {
	dst = appendHex(dst, uint32(len(body)))
	dst = append(dst, ' ')
	dst = appendHex(dst, crc32.Update(sum, castagnoli, []byte(body)))
	dst = append(dst, ' ')
	dst = append(dst, body...)
	return append(dst, '\n')
}

// anyRecord draws a record with every field filled at random.
func anyRecord(t *rapid.T) Record {
	var r Record
	fill(t, reflect.ValueOf(&r).Elem(), 0)
	return r
}

// fill draws a value for every field of v, so that a field added later is covered without a change
// here. Empty lists are nil and times are UTC: that is how the journal writes them.
func fill(t *rapid.T, v reflect.Value, depth int) {
	switch {
	case v.Type() == reflect.TypeFor[time.Time]():
		at := time.Unix(rapid.Int64Range(0, 4e9).Draw(t, "s"),
			rapid.Int64Range(0, 999999999).Draw(t, "ns"))
		v.Set(reflect.ValueOf(at.UTC()))
	case v.Kind() == reflect.String:
		v.SetString(rapid.String().Draw(t, "text"))
	case v.Kind() == reflect.Int:
		v.SetInt(int64(rapid.IntRange(-1<<31, 1<<31-1).Draw(t, "n")))
	case v.Kind() == reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "b"))
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i), depth)
		}
	case v.Kind() == reflect.Slice:
		if n := rapid.IntRange(0, 3).Draw(t, "len"); n > 0 {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
			for i := range n {
				fill(t, v.Index(i), depth)
			}
		}
	case v.Kind() == reflect.Pointer:
		if depth == 0 && rapid.Bool().Draw(t, "set") {
			v.Set(reflect.New(v.Type().Elem()))
			fill(t, v.Elem(), depth+1)
		}
	default:
		t.Fatalf("a record has a field of kind %s", v.Kind())
	}
}

// TestRoundTrip: every record comes back equal, also through the whole journal.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		records := make([]Record, rapid.IntRange(1, 3).Draw(t, "records"))
		for i := range records {
			records[i] = anyRecord(t)
		}
		records[0].SID = testSID
		text, err := json.Marshal(records[0])
		if err != nil {
			t.Fatal(err)
		}
		if one, err := decodeRecord(text); err != nil || !reflect.DeepEqual(one, records[0]) {
			t.Fatalf("%v\n%+v\n%+v", err, one, records[0])
		}
		data, _ := journalOf(records)
		p, err := parse("journal", data)
		if err != nil || p.torn || !reflect.DeepEqual(p.records, records) {
			t.Fatalf("journal: %v", err)
		}
	})
}

// FuzzParse: whatever the bytes, parse neither panics nor reads past a damaged place, and what it
// accepts it would write again.
func FuzzParse(f *testing.F) {
	data, ends := journalOf(quiet(2))
	f.Add(data)
	f.Add(data[:ends[3]+5])
	f.Add([]byte("pi-bridge-journal 2\n"))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := parse("journal", data)
		if err != nil {
			if len(p.records) > 0 || !clearError(err) && !errors.Is(err, ErrTooLarge) {
				t.Fatalf("half applied, or unclear: %v", err)
			}
			return
		}
		if p.good > int64(len(data)) || p.torn != (p.good < int64(len(data))) {
			t.Fatal("torn or not?")
		}
		if len(p.records) > 0 {
			again, _ := journalOf(p.records)
			if q, err := parse("journal", again); err != nil || len(q.records) != len(p.records) {
				t.Fatalf("not written again: %v", err)
			}
		}
	})
}
