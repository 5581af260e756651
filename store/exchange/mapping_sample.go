package exchange

import (
	"bytes"
	"errors"
	"hash/maphash"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"stockroom/store/csvfile"
)

// Limits of how much of each file a suggestion uses.
const (
	sampledRows   = 2000
	sampledValues = 500 // different values of each column
)

// sample is the start of a file for which a mapping is suggested.
type sample struct {
	path     string
	words    []string // words of the file name
	encoding string   // "" for UTF-8
	empty    []string // contents of cells that count as empty
	columns  []sampledColumn

	rows [][]uint64 // digests of the cells of each row

	sheet *sheet // nil if no entity matches
	list  *list
	fits  []*column // for each column of the file, the entity's column that matches best, or nil
	score []float64 // for each column of the file, how well the column in fits matches, from 0 to 1
	lines *sample   // the same rows as order lines, if they contain orders with their lines; otherwise nil
}

var sampleSeed = maphash.MakeSeed()

// sampledColumn is a column of the file with its first values.
type sampledColumn struct {
	name   string
	values []string // different values that are not empty
}

// nullTexts contains what other programs write instead of an empty value.
var nullTexts = []string{"NULL", "null", `\N`, "N/A", "n/a", "#N/A"}

func readSample(f File) (*sample, error) {
	s := &sample{path: f.Name, words: wordsOf(fileKey(f.Name))}
	in, err := unzip(f.Content)
	if err != nil {
		return nil, err
	}
	start, err := in.Peek(200 << 10)
	if err != nil && err != io.EOF && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	s.encoding = encodingOf(start, err == nil)
	records := csvfile.NewReader(decoded(in, s.encoding))
	header, err := records.Read()
	if err != nil {
		return nil, &FileError{f.Name, 1, "can't read the column names"}
	}
	for _, name := range header {
		s.columns = append(s.columns, sampledColumn{name: strings.TrimSpace(name)})
	}
	for range sampledRows {
		cells, err := records.Read()
		if errors.Is(err, csvfile.ErrQuote) || errors.Is(err, csvfile.ErrEncoding) {
			continue
		}
		if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
			break
		}
		if err != nil {
			return nil, &FileError{File: f.Name, Reason: "can't read the rows: " + err.Error()}
		}
		row := make([]uint64, len(s.columns))
		for i := range min(len(cells), len(s.columns)) {
			value := strings.TrimSpace(csvfile.Unescape(cells[i]))
			s.add(i, value)
			row[i] = maphash.String(sampleSeed, value)
		}
		s.rows = append(s.rows, row)
	}
	return s, nil
}

func (s *sample) add(i int, value string) {
	c := &s.columns[i]
	switch {
	case value == "":
	case slices.Contains(nullTexts, value):
		if !slices.Contains(s.empty, value) {
			s.empty = append(s.empty, value)
		}
	case len(c.values) < sampledValues && !slices.Contains(c.values, value):
		c.values = append(c.values, value)
	}
}

// encodingOf guesses the encoding from the start of a file. The argument cut is true if
// the file is longer than this start.
func encodingOf(start []byte, cut bool) string {
	if bytes.HasPrefix(start, []byte("\xff\xfe")) || bytes.HasPrefix(start, []byte("\xfe\xff")) {
		return "utf-16"
	}
	if cut {
		for range utf8.UTFMax - 1 { // start may end in the middle of a character
			if r, size := utf8.DecodeLastRune(start); r == utf8.RuneError && size == 1 {
				start = start[:len(start)-1]
			}
		}
	}
	if utf8.Valid(start) {
		return ""
	}
	return "windows-1252"
}

// all reports whether the column has values and all of them match.
func (c *sampledColumn) all(matches func(string) bool) bool {
	return len(c.values) > 0 && !slices.ContainsFunc(c.values, func(v string) bool { return !matches(v) })
}

// mostly reports whether at least half of the values match. The other values do not
// prevent a suggestion, because the import rejects their rows.
func (c *sampledColumn) mostly(matches func(string) bool) bool {
	return len(c.values) > 0 && 2*c.count(matches) >= len(c.values)
}

func (c *sampledColumn) count(matches func(string) bool) (n int) {
	for _, v := range c.values {
		if matches(v) {
			n++
		}
	}
	return n
}

func isNumber(text string) bool {
	return parseDecimal(text, 0) != "" || decimalWith(text, ",", ".") != "" || decimalWith(text, ".", ",") != ""
}

func isEmail(text string) bool {
	name, domain, found := strings.Cut(text, "@")
	return found && name != "" && strings.Contains(domain, ".") && !strings.ContainsAny(text, " ;")
}

// dateFormats lists the date formats that a suggestion tries. "" stands for dates that need
// no format in a mapping.
var dateFormats = []string{
	"",
	"M/D/YYYY", "D/M/YYYY", "M/D/YYYY hh:mm", "D/M/YYYY hh:mm", "M/D/YYYY hh:mm:ss", "D/M/YYYY hh:mm:ss", "M/D/YYYY h:mm:ss AM", "M/D/YYYY h:mm AM",
	"YYYY-MM-DD hh:mm:ss", "YYYY/MM/DD", "YYYY/MM/DD hh:mm:ss", "DD-MM-YYYY", "DD-MM-YYYY hh:mm", "M/D/YY", "D/M/YY", "M/D/YY hh:mm", "DD.MM.YY", "D MMM YYYY", "MMM D, YYYY", "DD-MMM-YYYY", "DD-MMM-YY",
}

// isDate returns a function that reports whether a text is a date in the given format.
func isDate(format string) func(text string) bool {
	parse := parseTime
	if format != "" {
		layout, _ := dateLayout(format)
		parse = func(text string) (time.Time, error) { return time.Parse(layout, text) }
	}
	return func(text string) bool {
		_, err := parse(text)
		return err == nil
	}
}

// datesOf returns the date formats that match the most values of a column. It returns none
// if no format matches at least half of the values.
func (c *sampledColumn) datesOf() (formats []string) {
	most := 0
	for _, format := range dateFormats {
		n := c.count(isDate(format))
		if n == 0 || n < most || 2*n < len(c.values) {
			continue
		}
		if n > most {
			most, formats = n, nil
		}
		formats = append(formats, format)
	}
	return formats
}

// decimalOf returns the decimal separator of the numbers in a column. It returns "" if the
// numbers do not show it, or if some have a decimal point and others a decimal comma. It
// ignores values that are not numbers.
func (c *sampledColumn) decimalOf() string {
	numbers := sampledColumn{values: slices.DeleteFunc(slices.Clone(c.values), func(v string) bool { return !isNumber(v) })}
	comma := slices.ContainsFunc(numbers.values, func(v string) bool { return decimalSign(v) == ',' })
	point := slices.ContainsFunc(numbers.values, func(v string) bool { return decimalSign(v) == '.' })
	if !comma && !point {
		comma = numbers.all(func(v string) bool { return decimalWith(v, ",", ".") != "" })
		point = numbers.all(func(v string) bool { return decimalWith(v, ".", ",") != "" })
	}
	switch {
	case comma == point:
		return ""
	case comma:
		return ","
	}
	return "."
}

// isWithin reports whether all values of the column also occur in another column.
func (c *sampledColumn) isWithin(other *sampledColumn) bool {
	return c.all(func(v string) bool { return slices.Contains(other.values, v) })
}

func (s *sample) base() string { return filepath.Base(s.path) }
