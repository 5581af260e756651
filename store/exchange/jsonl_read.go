package exchange

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"stockroom/store"
	"stockroom/store/csvfile"
)

// maxLine is the longest line that is read, in bytes: JSON of an item of 400
// KB may have several times as many.
const maxLine = 8 << 20

// Lines reads DynamoDB's JSON lines, {"Item": {…}} in each, as exports to S3
// have them and Export writes them; gzipped or not.
//
// An item that is as this program writes it goes in as it is. Any other is
// treated like a row of a model: what the rows of an order or of an account
// leave to each other is worked out, so those are held until the file ends.
func Lines(file string, r io.Reader) Portions {
	return func(yield func(*Import, error) bool) {
		l := lines{file: file, out: sink{yield: yield}, shop: newShop(), held: map[string][]Row{}}
		if err := l.read(r); err != nil && !l.out.stopped {
			yield(nil, err)
		}
	}
}

// lines is a file of JSON lines under way.
type lines struct {
	file string
	out  sink
	shop *shop // the names that rows of another form may need

	held     map[string][]Row // by what completes each other
	sequence []string         // of what is held, by the first row
}

// unzipped is what a reader holds, unpacked where it is packed.
func unzipped(r io.Reader) (*bufio.Reader, error) {
	in := bufio.NewReaderSize(r, 256<<10)
	if magic, err := in.Peek(2); err != nil || magic[0] != 0x1f || magic[1] != 0x8b {
		return in, nil
	}
	unpacked, err := gzip.NewReader(in)
	if err != nil {
		return nil, err
	}
	return bufio.NewReaderSize(unpacked, 256<<10), nil
}

func (l *lines) read(r io.Reader) error {
	in, err := unzipped(r)
	if err != nil {
		return l.damaged(0, err)
	}
	for n := 1; !l.out.stopped; n++ {
		line, err := readLine(in)
		if err != nil && err != io.EOF {
			return l.damaged(n, err)
		}
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		if text := bytes.TrimSpace(line); len(text) > 0 {
			l.line(n, text)
		}
		if err == io.EOF {
			l.release()
			l.out.end()
			return nil
		}
	}
	return nil
}

func (l *lines) damaged(line int, err error) error {
	if errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, bufio.ErrBufferFull) {
		return &FileError{l.file, line, "the file is damaged: " + err.Error()}
	}
	return err
}

// readLine reads a line into memory of its own.
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

// line takes one line.
func (l *lines) line(n int, text []byte) {
	row := Row{Number: n, raw: text}
	item, raw, err := itemOfLine(text)
	if err != nil {
		if raw == nil {
			row.raw, _ = json.Marshal(string(bytes.ToValidUTF8(text, []byte("�")))) // a text can always be written
		}
		l.out.refuse(row, "The line cannot be read: "+err.Error()+".")
		return
	}
	row.Item, row.raw = item, raw
	if e := exact(item); e != nil {
		row.Item = nil
		l.out.portion().Ours = true
		l.out.add(e, row)
		return
	}
	shape, known := recognise(item)
	if !known {
		l.out.refuse(row, unknownKind(item))
		return
	}
	shape.normalise(item)
	if with := completedWith(shape, item); with != "" {
		l.hold(with, row)
		return
	}
	b := newBuilder(l.shop.another())
	b.row(row)
	l.out.addAll(b.build())
}

// itemOfLine reads the item of a line, and returns the JSON that it has there.
func itemOfLine(text []byte) (read store.Item, raw []byte, err error) {
	switch {
	case !utf8.Valid(text):
		return nil, nil, csvfile.ErrEncoding
	case !json.Valid(text):
		return nil, nil, errors.New("it is no JSON")
	}
	r := reader{text: text}
	if !r.takes('{') {
		return nil, text, errNoLine
	}
	if name, err := r.words(); err != nil || name != "Item" || !r.takes(':') || r.next() != '{' {
		return nil, text, errNoLine
	}
	begin := r.at
	r.at++
	if read, err = r.attributes(0); err == nil && !r.takes('}') {
		err = errNoLine
	}
	if err != nil {
		return nil, text, err
	}
	return read, text[begin : bytes.LastIndexByte(text[:r.at-1], '}')+1], nil
}

// errNoLine is what a line is that holds something else.
var errNoLine = errors.New(`a line has to be {"Item": {…}}, as DynamoDB exports it`)

// exact is the entity of an item that is as this program writes it; nil where
// it is not, or where something in it cannot be.
func exact(item store.Item) store.Entity {
	entity, err := store.Decode(item)
	if err != nil || withheld(entity.EntityType()) || store.Lost(item, entity) != "" {
		return nil
	}
	sheet, _ := SheetOf(entity.EntityType())
	for i := range sheet.Columns {
		if c := &sheet.Columns[i]; c.value != "" && c.Needed && entity.KeyValue(c.value) == "" {
			return nil
		}
	}
	if first(noKeys(entity), nonsense(entity)) != "" {
		return nil
	}
	return entity
}

// completedWith names the rows among which one may find what it does not say;
// "" where that is no others.
func completedWith(s shape, item store.Item) string {
	switch {
	case s.ofOrder(), s.pk == accountPrefix, s.kind == kindWarehouseItem && item["Name"] == nil:
		return text(item, "PK")
	case s.kind == kindEmployee, s.kind == kindQuota, s.kind == string(store.Job):
		return "staff"
	}
	return ""
}

// hold keeps a row until the file has ended: as it stood there, which takes
// a tenth of what its item does.
func (l *lines) hold(with string, row Row) {
	if l.held[with] == nil {
		l.sequence = append(l.sequence, with)
	}
	row.Item = nil
	l.held[with] = append(l.held[with], row)
}

// release takes what was held, bit by bit.
func (l *lines) release() {
	for _, with := range l.sequence {
		if l.out.stopped {
			return
		}
		b := newBuilder(l.shop.another())
		for _, row := range l.held[with] {
			row.Item, _ = item(row.raw) // it has been read before
			b.row(row)
		}
		l.out.addAll(b.build())
	}
}

// sink collects rows into portions.
type sink struct {
	yield   func(*Import, error) bool
	now     *Import
	ours    bool
	stopped bool // whoever reads the portions wants no more
}

func (s *sink) portion() *Import {
	if s.now == nil {
		s.now = &Import{Ours: s.ours}
	}
	return s.now
}

func (s *sink) add(e store.Entity, row Row) {
	p := s.portion()
	p.Entities, p.Rows = append(p.Entities, e), append(p.Rows, row)
	s.full()
}

func (s *sink) refuse(row Row, reason string) {
	p := s.portion()
	p.Refused = append(p.Refused, Refused{row, reason})
	s.full()
}

// addAll keeps together what belongs together.
func (s *sink) addAll(built *Import) {
	p := s.portion()
	p.Entities, p.Rows = append(p.Entities, built.Entities...), append(p.Rows, built.Rows...)
	p.Refused = append(p.Refused, built.Refused...)
	s.full()
}

func (s *sink) full() {
	if len(s.now.Entities)+len(s.now.Refused) >= portionRows {
		s.end()
	}
}

// end hands on what there is.
func (s *sink) end() {
	if s.now != nil && !s.stopped {
		s.stopped = !s.yield(s.now, nil)
	}
	s.now = nil
}
