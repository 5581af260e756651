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

// maxLine limits a line, in bytes. The JSON of an item of 400 KB can be several
// times as long.
const maxLine = 8 << 20

// readLines reads DynamoDB JSON Lines, {"Item": {…}}, gzipped or not, as export
// to S3 writes them:
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/S3DataExport.Output.html.
//
// An item that this program exported is complete. Other items are treated as
// the rows of a model; those that complete each other are kept in memory until
// the file ends.
func readLines(file string, r io.Reader) Batches {
	return func(yield func(*Batch, error) bool) {
		l := lineReader{file: file, out: batcher{yield: yield}, data: newDataset(), pending: map[string][]Row{}}
		if err := l.read(r); err != nil && !l.out.stopped {
			yield(nil, err)
		}
	}
}

type lineReader struct {
	file string
	out  batcher
	data *dataset // of the items so far

	pending map[string][]Row // by group
	groups  []string         // by their first rows
}

func (l *lineReader) read(r io.Reader) error {
	in, err := unzip(r)
	if err != nil {
		return l.fileError(0, err)
	}
	for n := 1; !l.out.stopped; n++ {
		line, err := readLine(in)
		if err != nil && err != io.EOF {
			return l.fileError(n, err)
		}
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		if text := bytes.TrimSpace(line); len(text) > 0 {
			l.addLine(n, text)
		}
		if err == io.EOF {
			l.addPending()
			l.out.flush()
			return nil
		}
	}
	return nil
}

func (l *lineReader) fileError(line int, err error) error {
	if errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, bufio.ErrBufferFull) {
		return &FileError{l.file, line, "the file is damaged: " + err.Error()}
	}
	return err
}

// readLine returns a line in memory of its own.
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

func (l *lineReader) addLine(n int, text []byte) {
	row := Row{Number: n, raw: text}
	item, raw, err := parseLine(text)
	var deleted errDeleted
	switch {
	case errors.As(err, &deleted):
		l.out.reject(row, deleted.Error())
	case err != nil:
		if raw == nil {
			row.raw, _ = json.Marshal(string(bytes.ToValidUTF8(text, []byte("�")))) // cannot fail for strings
		}
		l.out.reject(row, "Can't read the line: "+err.Error()+".")
	default:
		row.raw = raw
		l.addItem(row, item)
	}
}

// addItem adds the item of a row.
func (l *lineReader) addItem(row Row, item store.Item) {
	row.Item = item
	if e := exportedEntity(item); e != nil {
		row.Item = nil
		l.out.current().Exported = true
		l.out.add(e, row)
		return
	}
	kind, known := findKind(item)
	if !known {
		l.out.reject(row, unknownKind(item))
		return
	}
	kind.normalise(item)
	if group := groupOf(kind, item); group != "" {
		l.addToGroup(group, row)
		return
	}
	b := newBuilder(l.data.withoutRows())
	b.add(row)
	l.out.addAll(b.build())
}

var errNotLine = errors.New(`it must be {"Item": {…}}, as DynamoDB exports it`)

// parseLine returns the item of a line, and its JSON. The JSON is nil if the
// line has none. In an incremental export, the item is the new image.
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

// exportedEntity returns the entity of an item, or nil if this program would
// write the item differently or not at all.
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

// groupOf names the rows that may complete this one, or "" if it is complete.
func groupOf(k itemKind, item store.Item) string {
	switch {
	case k.isOrderPart(), k.pk == accountPrefix, k.name == kindWarehouseItem && item["Name"] == nil:
		return text(item, "PK")
	case k.name == kindEmployee, k.name == kindQuota, k.name == string(store.Job):
		return "staff"
	}
	return ""
}

// addToGroup keeps a row until the file ends. It keeps only the JSON, which takes a
// tenth of the memory of the item.
func (l *lineReader) addToGroup(group string, row Row) {
	if l.pending[group] == nil {
		l.groups = append(l.groups, group)
	}
	row.Item = nil
	l.pending[group] = append(l.pending[group], row)
}

func (l *lineReader) addPending() {
	for _, group := range l.groups {
		if l.out.stopped {
			return
		}
		b := newBuilder(l.data.withoutRows())
		for _, row := range l.pending[group] {
			row.Item, _ = parseItem(row.raw) // cannot fail: addLine has parsed it
			b.add(row)
		}
		l.out.addAll(b.build())
	}
}
