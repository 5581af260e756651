package csvfile

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"unicode/utf8"
)

// maxRecord is the maximum length of a record in bytes, with separators and without quotes.
// A DynamoDB item has at most 400 KB, so a longer record must contain an unclosed quote.
const maxRecord = 1 << 20

// Errors of records that are not valid CSV.
var (
	ErrTooLong  = errors.New("a row is longer than 1 MB; check for a quote that is not closed")
	ErrQuote    = errors.New("the quotes do not match; write a quote within a cell twice")
	ErrEncoding = errors.New("the text is not UTF-8; save the file as UTF-8")
)

// Reader reads records. Unlike encoding/csv, it keeps line breaks within a cell unchanged,
// so that an import reads exactly the text that an export has written.
type Reader struct {
	in    *bufio.Reader
	comma byte
	text  []byte
	ends  []int // where each cell ends in text
}

// NewReader returns a reader. It skips a byte order mark. The first line determines
// the separator: a comma, a semicolon or a tab.
func NewReader(in *bufio.Reader) *Reader {
	const bom = "\ufeff"
	if start, err := in.Peek(len(bom)); err == nil && string(start) == bom {
		_, _ = in.Discard(len(bom)) // cannot fail, because Peek has already read these bytes
	}
	return &Reader{in: in, comma: separator(in)}
}

// Comma returns the separator.
func (r *Reader) Comma() byte { return r.comma }

// separator returns the character that separates the cells of the first line. In countries
// with a decimal comma, spreadsheets separate cells with semicolons.
func separator(in *bufio.Reader) byte {
	start, _ := in.Peek(4096) // Peek returns an error if the file is shorter, which does not matter
	line, _, _ := strings.Cut(string(start), "\n")
	best := byte(',')
	for _, c := range []byte(";\t") {
		if strings.Count(line, string(c)) > strings.Count(line, string(best)) {
			best = c
		}
	}
	return best
}

// Read returns the cells of the next record, or io.EOF. If it returns ErrQuote or
// ErrEncoding, it also returns the cells, and the caller can read the next record.
func (r *Reader) Read() (cells []string, err error) {
	r.text, r.ends = r.text[:0], r.ends[:0]
	quoted, closed, invalid := false, false, false
	for first := true; ; first = false {
		c, err := r.in.ReadByte()
		switch {
		case err == io.EOF && first:
			return nil, io.EOF
		case err == io.EOF:
			return r.record(invalid || quoted)
		case err != nil:
			return nil, err
		case len(r.text)+len(r.ends) > maxRecord: // separators are not in text, but also use memory
			return nil, ErrTooLong
		case quoted && c == '"':
			quoted, closed = false, true
		case quoted:
			r.text = append(r.text, c)
		case c == '"' && closed: // a doubled quote
			r.text, quoted, closed = append(r.text, c), true, false
		case c == '"' && r.atCellStart():
			quoted = true
		case c == r.comma:
			r.ends, closed = append(r.ends, len(r.text)), false
		case c == '\n':
			return r.record(invalid)
		case c == '\r' && r.nextIs('\n'):
		default:
			r.text, invalid = append(r.text, c), invalid || closed
		}
	}
}

func (r *Reader) atCellStart() bool {
	return len(r.ends) == 0 && len(r.text) == 0 || len(r.ends) > 0 && r.ends[len(r.ends)-1] == len(r.text)
}

func (r *Reader) nextIs(c byte) bool {
	next, err := r.in.Peek(1)
	return err == nil && next[0] == c
}

func (r *Reader) record(invalid bool) ([]string, error) {
	text, start := string(r.text), 0
	cells := make([]string, 0, len(r.ends)+1)
	for _, end := range append(r.ends, len(r.text)) {
		cells, start = append(cells, text[start:end]), end
	}
	switch {
	case !utf8.ValidString(text):
		return cells, ErrEncoding
	case invalid:
		return cells, ErrQuote
	}
	return cells, nil
}
