package web

import (
	"bufio"

	"stockroom/store/csvfile"
)

// Cell is one value of a CSV file.
type Cell = csvfile.Cell

// Text returns a cell with text that a user entered. It escapes text that a
// spreadsheet would run as a formula.
func Text(s string) Cell { return csvfile.Text(s) }

// Plain returns a cell with a value that cannot be a formula, such as a number or a date.
func Plain(s string) Cell { return csvfile.Plain(s) }

// Money returns a cell with an amount of money.
func Money(s string) Cell { return csvfile.Money(s) }

// writeRecord writes one record. If this fails, the Flush method of w returns the error.
func writeRecord(w *bufio.Writer, cells []Cell) {
	_, _ = w.Write(csvfile.AppendRecord(w.AvailableBuffer(), cells))
}
