// Package spill sorts and looks up data that does not fit in memory. It keeps most of the
// data in files.
package spill

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"slices"
	"strings"
)

// Sorter sorts records that do not fit in memory. It collects them in a buffer, writes each
// full buffer to a file as a sorted run, and merges the runs at the end.
type Sorter struct {
	file    sorterFile
	ends    []int64 // where each run ends in the file
	limit   int
	buffer  []byte
	records []span
}

type span struct{ from, to int }

// sorterFile is an os.File or a TempFile.
type sorterFile interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	Sync() error
}

// Open opens a sorter on a file, and creates the file if it does not exist. limit is the
// size of the buffer in bytes. To continue an earlier sorter, pass the ends that its last
// Flush returned. Open then keeps these runs, and discards the rest of the file.
func Open(path string, ends []int64, limit int) (*Sorter, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	s := &Sorter{file: file, ends: slices.Clone(ends), limit: limit}
	info, err := file.Stat()
	if err == nil && info.Size() < s.size() {
		err = io.ErrUnexpectedEOF
	}
	if err == nil {
		err = file.Truncate(s.size())
	}
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return s, nil
}

// OpenTemp opens a sorter on a temporary file in the folder. If folder is "", this is the
// system's temporary folder.
func OpenTemp(folder string, limit int) (*Sorter, error) {
	file, err := CreateTemp(folder)
	if err != nil {
		return nil, err
	}
	return &Sorter{file: file, limit: limit}, nil
}

func (s *Sorter) size() int64 {
	if len(s.ends) == 0 {
		return 0
	}
	return s.ends[len(s.ends)-1]
}

// Add adds a record. Records are sorted by their first field, then by the second,
// and so on.
func (s *Sorter) Add(fields ...string) error {
	from := len(s.buffer)
	for _, field := range fields {
		s.buffer = appendField(s.buffer, field)
	}
	s.records = append(s.records, span{from, len(s.buffer)})
	if len(s.buffer) < s.limit {
		return nil
	}
	return s.writeRun()
}

// A field ends with the bytes 0 1. A zero byte in a field is written as 0 255. The bytes of
// records therefore sort like their fields.
const (
	fieldMark = 0
	fieldEnd  = 1
	fieldZero = 255
)

func appendField(to []byte, field string) []byte {
	for {
		i := strings.IndexByte(field, fieldMark)
		if i < 0 {
			return append(append(to, field...), fieldMark, fieldEnd)
		}
		to = append(append(to, field[:i+1]...), fieldZero)
		field = field[i+1:]
	}
}

func decodeFields(record []byte, fields []string) []string {
	fields = fields[:0]
	for len(record) > 0 {
		var field []byte
		for i := bytes.IndexByte(record, fieldMark); ; i = bytes.IndexByte(record, fieldMark) {
			end := record[i+1] == fieldEnd
			if !end {
				i++ // this zero is part of the field
			}
			field = append(field, record[:i]...)
			if end {
				record = record[i+2:]
				break
			}
			record = record[i+1:]
		}
		fields = append(fields, string(field))
	}
	return fields
}

// Flush writes the buffer to the file and syncs the file. It returns the ends of all runs,
// which Open needs to continue.
func (s *Sorter) Flush() (ends []int64, err error) {
	if err := s.writeRun(); err != nil {
		return nil, err
	}
	return slices.Clone(s.ends), s.file.Sync()
}

func (s *Sorter) writeRun() error {
	if len(s.records) == 0 {
		return nil
	}
	slices.SortFunc(s.records, func(a, b span) int { return bytes.Compare(s.buffer[a.from:a.to], s.buffer[b.from:b.to]) })
	at := s.size()
	w := bufio.NewWriterSize(io.NewOffsetWriter(s.file, at), readBuffer)
	for _, r := range s.records {
		size := binary.AppendUvarint(w.AvailableBuffer(), uint64(r.to-r.from))
		_, _ = w.Write(size) // w.Flush returns any error
		_, _ = w.Write(s.buffer[r.from:r.to])
		at += int64(len(size) + r.to - r.from)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	s.ends = append(s.ends, at)
	s.buffer, s.records = s.buffer[:0], s.records[:0]
	return nil
}

// Close closes the file. It also deletes the file if OpenTemp created it.
func (s *Sorter) Close() error { return s.file.Close() }
