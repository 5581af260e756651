package cli

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/term"
)

// progress is one line on a terminal that is written over as a load goes on.
// Where standard error is no terminal it writes nothing.
type progress struct {
	to    io.Writer
	label string
	total int
}

func (c *call) newProgress(label string, total int) *progress {
	p := &progress{to: io.Discard, label: label, total: total}
	if file, ok := c.stderr.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		p.to = file
	}
	return p
}

func (p *progress) show(done int) {
	fmt.Fprintf(p.to, "\r%s: %d of %d", p.label, done, p.total)
}

// clear takes the line away: what came of it is said on standard output.
func (p *progress) clear() { fmt.Fprint(p.to, "\r\x1b[K") }
