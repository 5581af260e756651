// Package csvfile reads and writes CSV files for spreadsheets. It follows
// https://www.rfc-editor.org/rfc/rfc4180. It escapes text that a spreadsheet would run as a
// formula.
package csvfile

import (
	"strings"
	"unicode/utf8"
)

// Cell is one value of a record. If a spreadsheet could run it as a formula, it is already
// escaped.
type Cell struct {
	value string
	money bool // value is an amount of money
}

// Text returns a cell with text that a user entered. It escapes formulas.
func Text(s string) Cell { return Cell{value: Escape(s)} }

// Escape adds an apostrophe to text that a spreadsheet could run as a formula.
func Escape(s string) string {
	if startsFormula(strings.TrimLeft(s, "'")) {
		return "'" + s
	}
	return s
}

// Plain returns a cell with text that needs no escaping: a number, a date or a name
// chosen by the program.
func Plain(s string) Cell { return Cell{value: s} }

// Money returns a cell with an amount of money: digits with or without a decimal point.
func Money(s string) Cell { return Cell{value: s, money: true} }

// Value returns the text of the cell, without the escaping that Text added.
func (c Cell) Value() string { return Unescape(c.value) }

// IsMoney reports whether the cell is an amount of money.
func (c Cell) IsMoney() bool { return c.money }

// WithDecimals returns an amount of money with at least this many decimals, so that all
// amounts of a column look alike. It does not round. It returns other cells unchanged.
func (c Cell) WithDecimals(decimals int) Cell {
	if !c.money || c.value == "" || decimals == 0 {
		return c
	}
	whole, fraction, _ := strings.Cut(c.value, ".")
	c.value = whole + "." + fraction + strings.Repeat("0", max(0, decimals-len(fraction)))
	return c
}

// Unescape removes the apostrophe that Escape added to a cell.
func Unescape(cell string) string {
	if text := strings.TrimLeft(cell, "'"); len(text) < len(cell) && startsFormula(text) {
		return cell[1:]
	}
	return cell
}

// startsFormula reports whether a spreadsheet would run the text as a formula. See
// https://owasp.org/www-community/attacks/CSV_Injection.
func startsFormula(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	return s != "" && strings.ContainsRune("=+-@\t\r\n\x00＝＋－＠", first)
}

// AppendRecord appends a record and a line ending to buf. Unlike encoding/csv, it also
// quotes cells with semicolons and tabs, because many spreadsheets also split cells there.
// It keeps line breaks within a cell, which encoding/csv would convert to CRLF.
func AppendRecord(buf []byte, cells []Cell) []byte { return AppendRecordWith(buf, cells, ',') }

// AppendRecordWith is like AppendRecord, but separates the cells with the argument comma,
// which is a comma, a semicolon or a tab.
func AppendRecordWith(buf []byte, cells []Cell, comma byte) []byte {
	for i, cell := range cells {
		if i > 0 {
			buf = append(buf, comma)
		}
		if strings.ContainsAny(cell.value, "\",\r\n;\t ") || cell.value == "" && len(cells) == 1 {
			buf = appendQuoted(buf, cell.value)
		} else {
			buf = append(buf, cell.value...)
		}
	}
	return append(buf, "\r\n"...)
}

func appendQuoted(buf []byte, s string) []byte {
	buf = append(buf, '"')
	buf = append(buf, strings.ReplaceAll(s, `"`, `""`)...)
	return append(buf, '"')
}
