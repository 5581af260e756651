package spill

import (
	"bufio"
	"bytes"
	"container/heap"
	"encoding/binary"
	"errors"
	"io"
)

// Each run is read through a buffer of its own. All buffers together take at most
// mergeBuffer bytes, unless a buffer would have less than minReadBuffer bytes.
const (
	readBuffer    = 64 << 10
	minReadBuffer = 4 << 10
	mergeBuffer   = 8 << 20
)

// Sorted calls visit with the fields of each record, in order. It skips duplicate records.
// visit must not use the slice after it returns.
func (s *Sorter) Sorted(visit func(fields []string) error) error {
	if err := s.writeRun(); err != nil {
		return err
	}
	s.buffer, s.records = nil, nil
	runs, err := s.openRuns()
	if err != nil {
		return err
	}
	var before []byte
	var fields []string
	for len(runs) > 0 {
		run := runs[0]
		if !bytes.Equal(run.record, before) || before == nil {
			before = append(before[:0], run.record...)
			fields = decodeFields(before, fields)
			if err := visit(fields); err != nil {
				return err
			}
		}
		switch err := run.next(); {
		case errors.Is(err, io.EOF):
			heap.Pop(&runs)
		case err != nil:
			return err
		default:
			heap.Fix(&runs, 0)
		}
	}
	return nil
}

// openRuns returns a heap of the runs, after reading the first record of each.
func (s *Sorter) openRuns() (runHeap, error) {
	var runs runHeap
	size := min(readBuffer, max(minReadBuffer, mergeBuffer/max(1, len(s.ends))))
	from := int64(0)
	for _, end := range s.ends {
		run := &run{from: bufio.NewReaderSize(io.NewSectionReader(s.file, from, end-from), size)}
		if err := run.next(); err != nil {
			return nil, err
		}
		runs, from = append(runs, run), end
	}
	heap.Init(&runs)
	return runs, nil
}

// run is a sorted part of the file.
type run struct {
	from   *bufio.Reader
	record []byte
}

// next reads the next record. It returns io.EOF at the end of the run.
func (r *run) next() error {
	size, err := binary.ReadUvarint(r.from)
	if err != nil {
		return err
	}
	if uint64(cap(r.record)) < size {
		r.record = make([]byte, size)
	}
	r.record = r.record[:size]
	if _, err := io.ReadFull(r.from, r.record); err != nil {
		return errors.Join(io.ErrUnexpectedEOF, err)
	}
	return nil
}

// runHeap is a min-heap. It orders runs by their current record.
type runHeap []*run

func (h runHeap) Len() int           { return len(h) }
func (h runHeap) Less(i, j int) bool { return bytes.Compare(h[i].record, h[j].record) < 0 }
func (h runHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *runHeap) Push(x any)        { *h = append(*h, x.(*run)) }

func (h *runHeap) Pop() any {
	last := len(*h) - 1
	r := (*h)[last]
	*h = (*h)[:last]
	return r
}
