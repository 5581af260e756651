package exchange

import (
	"bufio"
	"maps"
	"slices"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// encodings contains the supported encodings of CSV files by name. UTF-8 is nil, because it
// needs no conversion.
var encodings = map[string]encoding.Encoding{
	"utf-8":        nil,
	"utf-16":       unicode.UTF16(unicode.LittleEndian, unicode.UseBOM),
	"windows-1252": charmap.Windows1252,
	"latin-1":      charmap.ISO8859_1,
	"iso-8859-1":   charmap.ISO8859_1,
}

// Encodings returns the names of the supported encodings of CSV files.
func Encodings() []string { return encodingNames() }

// isUTF16 reports whether the content starts with a byte order mark of UTF-16.
func isUTF16(in *bufio.Reader) bool {
	mark, err := in.Peek(2)
	return err == nil && (string(mark) == "\xff\xfe" || string(mark) == "\xfe\xff")
}

// isUTF8 reports whether the content starts with a byte order mark of UTF-8.
func isUTF8(in *bufio.Reader) bool {
	mark, err := in.Peek(len(utf8Mark))
	return err == nil && string(mark) == utf8Mark
}

const utf8Mark = "\ufeff"

func isEncoding(name string) bool {
	_, known := encodings[name]
	return known
}

func encodingNames() []string { return slices.Sorted(maps.Keys(encodings)) }

// decoded returns a reader that converts the content to UTF-8. It returns the content
// unchanged if the encoding is UTF-8, or if encodings does not contain the name.
func decoded(in *bufio.Reader, name string) *bufio.Reader {
	e := encodings[name]
	if e == nil {
		return in
	}
	return bufio.NewReaderSize(e.NewDecoder().Reader(in), 64<<10)
}
