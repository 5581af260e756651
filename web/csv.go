package web

import (
	"io"
	"strings"
)

// Cell is one value of a CSV file.
type Cell struct {
	text  string
	plain bool // made by the program from a number or a date: it cannot be a formula
}

// Text is a cell of somebody's text.
func Text(s string) Cell { return Cell{text: s} }

// Plain is a cell of a number or a date that the program wrote.
func Plain(s string) Cell { return Cell{text: s, plain: true} }

// formulas begin what a spreadsheet would calculate instead of show.
const formulas = "=+-@\t\r\x00"

// harmless puts a quote before text that a spreadsheet would take for a
// formula.
func (c Cell) harmless() string {
	if !c.plain && c.text != "" && strings.IndexByte(formulas, c.text[0]) >= 0 {
		return "'" + c.text
	}
	return c.text
}

// writeRecord writes a line of CSV as RFC 4180 has it, with more fields quoted
// than the RFC needs and some spreadsheets do.
func writeRecord(w io.StringWriter, cells []Cell) {
	for i, cell := range cells {
		if i > 0 {
			_, _ = w.WriteString(",")
		}
		text := cell.harmless()
		if strings.ContainsAny(text, "\",\r\n;\t ") {
			text = `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
		}
		_, _ = w.WriteString(text) // a bufio.Writer keeps its error for Flush
	}
	_, _ = w.WriteString("\r\n")
}
