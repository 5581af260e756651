// Package csvfile reads and writes CSV files that people open in a spreadsheet. It
// follows https://www.rfc-editor.org/rfc/rfc4180 and escapes text that a spreadsheet
// would run as a formula.
package csvfile

import (
	"strings"
	"unicode/utf8"
)

// Cell is one value of a record, ready to be written.
type Cell struct{ value string }

// Text returns a cell with text that a user entered. It escapes formulas.
func Text(s string) Cell {
	if startsFormula(strings.TrimLeft(s, "'")) {
		s = "'" + s
	}
	return Cell{s}
}

// Plain returns a cell with text that needs no escaping: a number, a date or a name
// chosen by the program.
func Plain(s string) Cell { return Cell{s} }

// Unescape removes the escaping that Text added to a cell.
func Unescape(cell string) string {
	if text := strings.TrimLeft(cell, "'"); len(text) < len(cell) && startsFormula(text) {
		return cell[1:]
	}
	return cell
}

// startsFormula reports whether a spreadsheet would run the text as a formula. See
// https://owasp.org/www-community/attacks/CSV_Injection
func startsFormula(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	return s != "" && strings.ContainsRune("=+-@\t\r\n\x00＝＋－＠", first)
}

// AppendRecord appends a record with its line ending to buf. Unlike encoding/csv, it
// also quotes cells with semicolons and tabs, because many spreadsheets split there
// too. It writes line breaks within a cell unchanged, whereas encoding/csv converts
// them if lines end in CRLF.
func AppendRecord(buf []byte, cells []Cell) []byte { return AppendRecordWith(buf, cells, ',') }

// AppendRecordWith appends a record with another separator: a comma, a semicolon
// or a tab.
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
