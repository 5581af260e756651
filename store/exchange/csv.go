package exchange

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"unicode/utf8"
)

// maxRecord is the most that one record of a CSV file may have, in bytes. An
// item has at most 400 KB, so a longer one is a quote that is never closed.
const maxRecord = 1 << 20

// What may be wrong with a record.
var (
	errLongRecord = errors.New("a row has more than 1 MB: a quote before it may not be closed")
	errQuote      = errors.New("its quotes do not fit: a quote within a cell is written twice")
	errNoUTF8     = errors.New("it is not UTF-8, but damaged or in another encoding")
)

// records reads CSV as RFC 4180 has it. Unlike the standard library's reader
// it keeps the ends of lines within a cell as they are, because a text that
// went out has to come back the same.
type records struct {
	in    *bufio.Reader
	comma byte
	text  []byte
	ends  []int // of the cells in text
}

// next reads a record; io.EOF where there is none. After errQuote and
// errNoUTF8 the reader stands behind the record.
func (r *records) next() (cells []string, err error) {
	r.text, r.ends = r.text[:0], r.ends[:0]
	quoted, closed, wrong := false, false, false
	for first := true; ; first = false {
		c, err := r.in.ReadByte()
		switch {
		case err == io.EOF && first:
			return nil, io.EOF
		case err == io.EOF:
			return r.record(wrong || quoted)
		case err != nil:
			return nil, err
		case len(r.text) > maxRecord:
			return nil, errLongRecord
		case quoted && c == '"':
			quoted, closed = false, true
		case quoted:
			r.text = append(r.text, c)
		case c == '"' && closed: // written twice
			r.text, quoted, closed = append(r.text, c), true, false
		case c == '"' && r.cellIsEmpty():
			quoted = true
		case c == r.comma:
			r.ends, closed = append(r.ends, len(r.text)), false
		case c == '\n':
			return r.record(wrong)
		case c == '\r' && r.follows('\n'):
		default:
			r.text, wrong = append(r.text, c), wrong || closed
		}
	}
}

func (r *records) cellIsEmpty() bool {
	return len(r.ends) == 0 && len(r.text) == 0 || len(r.ends) > 0 && r.ends[len(r.ends)-1] == len(r.text)
}

func (r *records) follows(c byte) bool {
	next, err := r.in.Peek(1)
	return err == nil && next[0] == c
}

func (r *records) record(wrong bool) ([]string, error) {
	r.ends = append(r.ends, len(r.text))
	text := string(r.text)
	cells := make([]string, len(r.ends))
	from := 0
	for i, end := range r.ends {
		cells[i], from = text[from:end], end
	}
	switch {
	case !utf8.ValidString(text):
		return cells, errNoUTF8
	case wrong:
		return cells, errQuote
	}
	return cells, nil
}

// separator is what stands between the cells of a header: spreadsheets of
// countries with a decimal comma write semicolons.
func separator(in *bufio.Reader) byte {
	ahead, _ := in.Peek(4096) // what there is of a short file will do
	header, _, _ := strings.Cut(string(ahead), "\n")
	best := byte(',')
	for _, c := range []byte(";\t") {
		if strings.Count(header, string(c)) > strings.Count(header, string(best)) {
			best = c
		}
	}
	return best
}

// appendRecord writes a record, with more cells quoted than the RFC needs and
// some spreadsheets do.
func appendRecord(to []byte, cells []string) []byte {
	for i, cell := range cells {
		if i > 0 {
			to = append(to, ',')
		}
		if strings.ContainsAny(cell, "\",\r\n;\t ") || cell == "" && len(cells) == 1 {
			to = appendQuoted(to, cell)
		} else {
			to = append(to, cell...)
		}
	}
	return append(to, "\r\n"...)
}

func appendQuoted(to []byte, cell string) []byte {
	to = append(to, '"')
	to = append(to, strings.ReplaceAll(cell, `"`, `""`)...)
	return append(to, '"')
}

// joined writes several texts in one cell, a semicolon between them.
func joined(texts []string) string {
	var b []byte
	for i, text := range texts {
		if i > 0 {
			b = append(b, "; "...)
		}
		if strings.ContainsAny(text, "\"\r\n;") || text == "" || strings.TrimSpace(text) != text {
			b = appendQuoted(b, text)
		} else {
			b = append(b, text...)
		}
	}
	return string(b)
}

// parted takes them apart again. Blanks around a text that is not quoted do
// not count.
func parted(cell string) (texts []string, ok bool) {
	for rest := cell; ; {
		rest = strings.TrimLeft(rest, " ")
		if !strings.HasPrefix(rest, `"`) {
			text, after, more := strings.Cut(rest, ";")
			texts, rest = append(texts, strings.TrimSpace(text)), after
			if !more {
				return texts, true
			}
			continue
		}
		end := 1
		for end < len(rest) && (rest[end] != '"' || strings.HasPrefix(rest[end+1:], `"`)) {
			if rest[end] == '"' {
				end++
			}
			end++
		}
		if end >= len(rest) {
			return nil, false
		}
		texts = append(texts, strings.ReplaceAll(rest[1:end], `""`, `"`))
		after := strings.TrimLeft(rest[end+1:], " ")
		if after == "" {
			return texts, true
		}
		if rest, ok = strings.CutPrefix(after, ";"); !ok {
			return nil, false
		}
	}
}
