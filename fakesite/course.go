package fakesite

import (
	"time"
	"unicode/utf8"
)

// Course is how one answer comes into being: a pure function of time.
//
//	POST      Thinking      first piece            last piece   end
//	 │ Waiting │   Thinking  │ Streaming … (pause) …    │        │ Complete, Failed or Stopped
//	 ├─ begin ─┤             ├─ step ─┤                           ▼
//	 ├──────── text ─────────┤                                    nothing changes any more
//	 ├─────────────────────── end ────────────────────────────────┤
//
// Pieces are cut by proportion, O(1) and without a table: piece k of n ends at k/n of the text's
// bytes, moved back to the start of the character there. So what stands is always whole characters
// and never shrinks. The last piece and the end usually share one moment, as the site's last patch
// carries both.
type Course struct {
	start  time.Time
	begin  time.Duration // start → Thinking
	text   time.Duration // start → first piece
	step   time.Duration // between pieces; 0 = all at once, but for the pause
	end    time.Duration // start → end
	pieces int
	pause  int           // pieces that stand before the pause, from 1
	gap    time.Duration // length of the pause
	held   bool          // thinks for ever, or until approved
	waits  bool          // held only until Site.Approve
	ending AnswerState
}

// Start is the moment of the POST.
func (c *Course) Start() time.Time { return c.start }

// Begins is the moment at which the answer starts to think.
func (c *Course) Begins() time.Time { return c.start.Add(c.begin) }

// TextFrom is the moment at which the first piece of text stands; zero when it never does.
func (c *Course) TextFrom() time.Time { return c.at(c.text) }

// Ends is the moment of the end; zero when it never comes, or not before an approval.
func (c *Course) Ends() time.Time { return c.at(c.end) }

func (c *Course) at(d time.Duration) time.Time {
	if c.held {
		return time.Time{}
	}
	return c.start.Add(d)
}

// Ending is how the answer ends: Complete, Failed or Stopped; Thinking when it never does.
func (c *Course) Ending() AnswerState {
	if c.held {
		return Thinking
	}
	return c.ending
}

// AwaitsApproval reports whether the answer goes on only after Site.Approve.
func (c *Course) AwaitsApproval() bool { return c.waits }

// At is the progress of the answer with this text. Nothing changes between now and Next.
func (c *Course) At(text string, now time.Time) Progress {
	d := now.Sub(c.start)
	switch {
	case !c.held && d >= c.end:
		return Progress{State: c.ending, Shown: len(text)}
	case d < c.begin:
		return Progress{State: Waiting, Next: c.start.Add(c.begin)}
	case c.held:
		return Progress{State: Thinking}
	case d < c.text:
		return Progress{State: Thinking, Next: c.start.Add(c.text)}
	}
	k := c.standing(d - c.text)
	shown := cut(text, k, c.pieces)
	for k++; k <= c.pieces; k++ {
		if cut(text, k, c.pieces) > shown {
			return Progress{State: Streaming, Shown: shown, Next: c.start.Add(c.text + c.moment(k))}
		}
	}
	return Progress{State: Streaming, Shown: shown, Next: c.start.Add(c.end)}
}

// standing is the number of pieces that stand d after the first one.
func (c *Course) standing(d time.Duration) int {
	if d >= c.moment(c.pieces) {
		return c.pieces
	}
	if c.gap > 0 && d >= c.moment(c.pause) {
		if d < c.moment(c.pause+1) {
			return c.pause
		}
		d -= c.gap
	}
	if c.step == 0 {
		return c.pieces
	}
	return int(d/c.step) + 1
}

// moment is when piece k, from 1, stands, after the first one.
func (c *Course) moment(k int) time.Duration {
	d := time.Duration(k-1) * c.step
	if c.gap > 0 && k > c.pause {
		d += c.gap
	}
	return d
}

// cut is the byte at which piece k of n ends.
func cut(text string, k, n int) int {
	if k >= n {
		return len(text)
	}
	i := len(text) * k / n
	for i > 0 && !utf8.RuneStart(text[i]) {
		i--
	}
	return i
}

// At is how far a message is. User messages are complete and whole.
func (m *Message) At(now time.Time) Progress {
	if m.Role == User {
		return Progress{State: Complete, Shown: len(m.Text)}
	}
	return m.Course.At(m.Text, now)
}

// TextAt is the part of the text that stands at a moment.
func (m *Message) TextAt(now time.Time) string { return m.Text[:m.At(now).Shown] }

// unhurried is the piece size of an answer whose time of writing is scripted on an instant site.
const unhurried = 20

// pauseGrain is the number of pieces in which an answer that comes at once is cut to pause in it.
const pauseGrain = 10

// plotted lays out the course of an answer that thinks for m.Think.
func plotted(now time.Time, text string, t *Timing, o *Options, m *Move) Course {
	c := Course{start: now, begin: t.FirstByte, step: t.Chunk, pieces: 1, ending: Complete}
	c.text = c.begin + m.Think
	if size := pieceSize(t, m); size > 0 {
		c.pieces = max(1, (utf8.RuneCountInString(text)+size-1)/size)
	}
	if m.Write > 0 {
		c.step = m.Write / time.Duration(max(1, c.pieces-1))
	}
	if o.PauseFor > 0 {
		c.interrupt(o.PauseAt, o.PauseFor, utf8.RuneCountInString(text))
	}
	c.end = c.text + max(c.moment(c.pieces), m.Write)
	return c
}

func pieceSize(t *Timing, m *Move) int {
	if t.ChunkRunes == 0 && m.Write > 0 {
		return unhurried
	}
	return t.ChunkRunes
}

// interrupt pauses after percent of the text; something stands before and something comes after.
func (c *Course) interrupt(percent int, gap time.Duration, runes int) {
	if c.pieces == 1 {
		c.pieces, c.step = min(pauseGrain, runes), 0
	}
	if c.pieces < 2 {
		c.pieces = 1
		return
	}
	c.pause = min(max(c.pieces*percent/100, 1), c.pieces-1)
	c.gap = gap
}

// stop ends the course now.
func (c *Course) stop(now time.Time) {
	c.end, c.ending, c.held, c.waits = now.Sub(c.start), Stopped, false, false
}

// approve lets a waiting course write from now on.
func (c *Course) approve(now time.Time) {
	writing := c.end - c.text
	c.text = max(c.text, now.Sub(c.start))
	c.end = c.text + writing
	c.held, c.waits = false, false
}
