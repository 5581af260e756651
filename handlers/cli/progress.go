package cli

import (
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"
)

// progress is one line on a terminal that is written over as rows are done.
// Where standard error is no terminal it writes nothing.
type progress struct {
	to    io.Writer
	label string
	from  *counted // what is read, of which a part is done; may be nil
	began time.Time
}

func (c *call) newProgress(label string, from *counted) *progress {
	p := &progress{to: io.Discard, label: label, from: from, began: time.Now()}
	if file, ok := c.stderr.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		p.to = file
	}
	return p
}

func (p *progress) show(rows int) {
	part := ""
	if p.from != nil && p.from.size > 0 {
		part = fmt.Sprintf("%d %%, ", 100*p.from.read.Load()/p.from.size)
	}
	rate := float64(rows) / max(0.001, time.Since(p.began).Seconds())
	fmt.Fprintf(p.to, "\r\x1b[K%s: %s%d rows, %.0f a second", p.label, part, rows, rate)
}

// clear takes the line away: what came of it is said on standard output.
func (p *progress) clear() { fmt.Fprint(p.to, "\r\x1b[K") }
