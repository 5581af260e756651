package exchange

import (
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"stockroom/store/csvfile"
)

// What a suggestion reads of each file.
const (
	sampledRows   = 2000
	sampledValues = 500 // different ones of each column
)

// sample is the beginning of a file for which a mapping is suggested.
type sample struct {
	path     string
	words    []string // of its name
	encoding string   // "" for UTF-8
	empty    []string // texts that stand for no value
	columns  []sampledColumn

	sheet *sheet // nil if no entity fits
	list  *list
	fits  []*column // of each column; nil if none fits
	score []float64 // how well they fit
}

// sampledColumn is a column with its first values.
type sampledColumn struct {
	name   string
	values []string // different ones, not empty
}

// nullTexts are texts that other programs write for no value.
var nullTexts = []string{"NULL", "null", `\N`, "N/A", "n/a", "#N/A"}

// readSample reads the beginning of a file.
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
		for i := range min(len(cells), len(s.columns)) {
			s.add(i, strings.TrimSpace(cells[i]))
		}
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

// encodingOf guesses the encoding of the start of a file. cut reports that the
// file goes on.
func encodingOf(start []byte, cut bool) string {
	if bytes.HasPrefix(start, []byte("\xff\xfe")) || bytes.HasPrefix(start, []byte("\xfe\xff")) {
		return "utf-16"
	}
	if cut {
		for range utf8.UTFMax - 1 { // the last character may be cut
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

// all reports whether there are values and each of them has a property.
func (c *sampledColumn) all(has func(string) bool) bool {
	return len(c.values) > 0 && !slices.ContainsFunc(c.values, func(v string) bool { return !has(v) })
}

func isNumber(text string) bool {
	return parseDecimal(text, 0) != "" || decimalWith(text, ",", ".") != "" || decimalWith(text, ".", ",") != ""
}

func isEmail(text string) bool {
	name, domain, found := strings.Cut(text, "@")
	return found && name != "" && strings.Contains(domain, ".") && !strings.ContainsAny(text, " ;")
}

// dateFormats are the formats that a suggestion tries if a column needs a mapping.
var dateFormats = []string{
	"M/D/YYYY", "D/M/YYYY", "M/D/YYYY hh:mm", "D/M/YYYY hh:mm", "M/D/YYYY hh:mm:ss", "D/M/YYYY hh:mm:ss", "M/D/YYYY h:mm:ss AM", "M/D/YYYY h:mm AM",
	"YYYY-MM-DD hh:mm:ss", "YYYY/MM/DD", "YYYY/MM/DD hh:mm:ss", "DD-MM-YYYY", "DD-MM-YYYY hh:mm", "M/D/YY", "D/M/YY", "M/D/YY hh:mm", "DD.MM.YY", "D MMM YYYY", "MMM D, YYYY", "DD-MMM-YYYY", "DD-MMM-YY",
}

func parsesTime(text string) bool {
	_, err := parseTime(text)
	return err == nil
}

// datesOf returns the date formats that all values of a column have; none if it
// has no dates. An empty format needs no mapping.
func (c *sampledColumn) datesOf() (formats []string) {
	if c.all(parsesTime) {
		return []string{""}
	}
	for _, format := range dateFormats {
		layout, _ := dateLayout(format)
		if c.all(func(v string) bool { _, err := time.Parse(layout, v); return err == nil }) {
			formats = append(formats, format)
		}
	}
	return formats
}

// decimalOf returns the decimal sign of the column's numbers, or "" if each value
// shows it.
func (c *sampledColumn) decimalOf() string {
	if c.all(func(v string) bool { return parseDecimal(v, 0) != "" }) && !c.all(func(v string) bool { return !strings.ContainsAny(v, ".,") }) {
		for _, sign := range []string{",", "."} {
			if slices.ContainsFunc(c.values, func(v string) bool { i := strings.LastIndex(v, sign); return i >= 0 && len(v)-i-1 != 3 }) {
				return sign
			}
		}
		return ""
	}
	for _, signs := range [][2]string{{",", "."}, {".", ","}} {
		if c.all(func(v string) bool { return decimalWith(v, signs[0], signs[1]) != "" }) && !c.all(func(v string) bool { return parseDecimal(v, 0) != "" }) {
			return signs[0]
		}
	}
	return ""
}

// isWithin reports whether all values of the column are values of another.
func (c *sampledColumn) isWithin(other *sampledColumn) bool {
	return c.all(func(v string) bool { return slices.Contains(other.values, v) })
}

func (s *sample) base() string { return filepath.Base(s.path) }
