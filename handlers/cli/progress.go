package cli

import (
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"
)

// progress shows the progress of a command on the last line of the terminal. It shows
// nothing if standard error is not a terminal.
type progress struct {
	to    io.Writer
	label string
	from  *inputFile // file that is being read, or nil
	start time.Time
}

func (c *call) newProgress(label string, from *inputFile) *progress {
	p := &progress{to: io.Discard, label: label, from: from, start: time.Now()}
	if file, ok := c.stderr.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		p.to = file
	}
	return p
}

func (p *progress) show(rows int) {
	percent := ""
	if p.from != nil && p.from.size > 0 {
		percent = fmt.Sprintf("%d %%, ", 100*p.from.read.Load()/p.from.size)
	}
	rate := float64(rows) / max(0.001, time.Since(p.start).Seconds())
	fmt.Fprintf(p.to, "\r\x1b[K%s: %s%d rows, %.0f per second", p.label, percent, rows, rate)
}

func (p *progress) clear() { fmt.Fprint(p.to, "\r\x1b[K") }
