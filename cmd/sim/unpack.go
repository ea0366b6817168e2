package main

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
)

// unpacked gives the text of a history that may be compressed with gzip. The limits of what is read
// count behind it, so a small file that becomes a huge one is refused.
func unpacked(in io.Reader) (io.Reader, error) {
	b := bufio.NewReader(in)
	if mark, err := b.Peek(2); err != nil || mark[0] != 0x1f || mark[1] != 0x8b {
		return b, nil // an error of reading comes again
	}
	z, err := gzip.NewReader(b)
	if err != nil {
		return nil, usage("record the run again", "the compressed history cannot be read: %w", err)
	}
	return wholeGzip{z}, nil
}

// wholeGzip says what a broken or cut gzip means.
type wholeGzip struct{ z *gzip.Reader }

func (w wholeGzip) Read(b []byte) (int, error) {
	n, err := w.z.Read(b)
	if err != nil && err != io.EOF {
		err = usage("record the run again", "the compressed history is broken: %w",
			fmt.Errorf("gzip: %w", err))
	}
	return n, err
}
