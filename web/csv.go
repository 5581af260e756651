package web

import (
	"bufio"

	"stockroom/store/csvfile"
)

// Cell is one value of a CSV file.
type Cell = csvfile.Cell

// Text returns a cell with text that a user entered, formulas escaped.
func Text(s string) Cell { return csvfile.Text(s) }

// Plain returns a cell with a number, a date or a name that the program made.
func Plain(s string) Cell { return csvfile.Plain(s) }

// writeRecord writes one line. A bufio.Writer keeps its error for Flush.
func writeRecord(w *bufio.Writer, cells []Cell) {
	_, _ = w.Write(csvfile.AppendRecord(w.AvailableBuffer(), cells))
}
