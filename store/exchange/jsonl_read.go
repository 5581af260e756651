package exchange

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"stockroom/store"
	"stockroom/store/csvfile"
)

// maxLine is the maximum length of a line in bytes. The JSON of an item of 400 KB can
// be several times as long.
const maxLine = 8 << 20

// readLines reads DynamoDB JSON Lines, such as {"Item": {…}}, optionally gzipped.
// This is the format of exports to S3:
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/S3DataExport.Output.html.
func readLines(in io.Reader) func(*itemReader) error {
	return func(r *itemReader) error { return r.readLines(in) }
}

func (r *itemReader) readLines(from io.Reader) error {
	in, err := unzip(from)
	if err != nil {
		return r.fileError(0, err)
	}
	for n := 1; !r.out.stopped; n++ {
		line, err := readLine(in)
		if err != nil && err != io.EOF {
			return r.fileError(n, err)
		}
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		if text := bytes.TrimSpace(line); len(text) > 0 {
			if err := r.addLine(n, text); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
	}
	return nil
}

func (r *itemReader) fileError(line int, err error) error {
	if errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, bufio.ErrBufferFull) {
		return &FileError{r.file, line, "can't read the file: " + err.Error()}
	}
	return err
}

// readLine returns a copy of the next line.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		if err != bufio.ErrBufferFull {
			return line, err
		}
		if len(line) > maxLine {
			return nil, fmt.Errorf("a line has more than %d MB: %w", maxLine>>20, bufio.ErrBufferFull)
		}
	}
}

func (r *itemReader) addLine(n int, text []byte) error {
	row := Row{Number: n, raw: text}
	item, raw, err := parseLine(text)
	var deleted errDeleted
	switch {
	case errors.As(err, &deleted):
		r.reject(row, deleted.Error())
	case err != nil:
		if raw == nil {
			row.raw, _ = json.Marshal(string(bytes.ToValidUTF8(text, []byte("�")))) // cannot fail for strings
		}
		r.reject(row, "Can't read the line: "+err.Error()+".")
	default:
		row.raw = raw
		return r.addItem(row, item)
	}
	return nil
}

var errNotLine = errors.New(`it must be {"Item": {…}}, as DynamoDB exports it`)

// parseLine returns the item of a line, and its JSON. The item is nil if the line contains
// none. In an incremental export, the item is the new image.
func parseLine(text []byte) (item store.Item, raw []byte, err error) {
	switch {
	case !utf8.Valid(text):
		return nil, nil, csvfile.ErrEncoding
	case !json.Valid(text):
		return nil, nil, errors.New("it is not JSON")
	}
	p := jsonParser{text: text}
	if !p.skip('{') {
		return nil, text, errNotLine
	}
	name, err := p.string()
	if err == nil && slices.Contains(incrementalNames, name) {
		return parseIncremental(text)
	}
	if err != nil || name != "Item" || !p.skip(':') || p.peek() != '{' {
		return nil, text, errNotLine
	}
	start := p.at
	p.at++
	item, err = p.attributes(0)
	end := p.at
	if err == nil && !p.skip('}') && !bytes.HasPrefix(bytes.TrimSpace(text[p.at:]), []byte(`,"Rejected"`)) {
		err = errNotLine
	}
	if err != nil {
		return nil, text, err
	}
	return item, text[start:end], nil
}

// exportedEntity returns the entity of an item if Stockroom would write the same
// attributes, otherwise nil. It does not compare keys and the value of the Version; see
// store.Mismatch.
func exportedEntity(item store.Item) store.Entity {
	entity, err := store.Decode(item)
	if err != nil || isInternal(entity.EntityType()) || store.Mismatch(item, entity) != "" {
		return nil
	}
	s, _ := sheetOf(entity.EntityType())
	for i := range s.columns {
		if c := &s.columns[i]; c.keyName != "" && c.required && entity.KeyValue(c.keyName) == "" {
			return nil
		}
	}
	if checkEntity(entity) != "" {
		return nil
	}
	return entity
}
