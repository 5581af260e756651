package exchange

import (
	"bufio"
	"cmp"
	"container/heap"
	"encoding/binary"
	"errors"
	"io"
	"iter"
	"os"
	"slices"
)

// sortMemory limits the rows that a rowSorter keeps in memory, in bytes.
const sortMemory = 32 << 20

// sortedRow is a row of an export.
type sortedRow struct {
	key  string
	text []byte

	// Whether the row is exported may depend on the events in a partition.
	inclusion inclusion
	history   string
}

func (r *sortedRow) size() int { return len(r.key) + len(r.history) + len(r.text) + 64 }

// rowSorter sorts rows by key. It writes those that do not fit in memory to a
// temporary file, in sorted runs.
type rowSorter struct {
	folder string // of the temporary file; "" for the system's
	limit  int    // of memory

	rows []sortedRow
	size int
	file *os.File
	end  int64
	runs []*io.SectionReader
}

func (s *rowSorter) add(rows []sortedRow) error {
	for i := range rows {
		s.size += rows[i].size()
	}
	if s.rows = append(s.rows, rows...); s.size < s.limit {
		return nil
	}
	return s.spill()
}

// spill writes the rows in memory to the temporary file.
func (s *rowSorter) spill() error {
	if s.file == nil {
		file, err := os.CreateTemp(s.folder, ".export-*")
		if err != nil {
			return err
		}
		s.file = file
		_ = os.Remove(file.Name()) // the open file needs no name; if removing fails, close removes it
	}
	s.sortMemory()
	counter := &countingWriter{w: s.file}
	out := bufio.NewWriterSize(counter, 256<<10)
	for _, row := range s.rows {
		for _, part := range [][]byte{[]byte(row.key), row.text, {byte(row.inclusion)}, []byte(row.history)} {
			var length [binary.MaxVarintLen64]byte
			_, err := out.Write(length[:binary.PutUvarint(length[:], uint64(len(part)))])
			if err == nil {
				_, err = out.Write(part)
			}
			if err != nil {
				return err
			}
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	s.runs = append(s.runs, io.NewSectionReader(s.file, s.end, counter.n))
	s.end += counter.n
	clear(s.rows) // so that the garbage collector can free their texts
	s.rows, s.size = s.rows[:0], 0
	return nil
}

func (s *rowSorter) sortMemory() {
	slices.SortFunc(s.rows, func(a, b sortedRow) int { return cmp.Compare(a.key, b.key) })
}

// sorted returns the rows in the order of their keys.
func (s *rowSorter) sorted() iter.Seq2[*sortedRow, error] {
	return func(yield func(*sortedRow, error) bool) {
		s.sortMemory()
		runs := runHeap{{rows: s.rows}}
		for _, run := range s.runs {
			runs = append(runs, &sortedRun{in: bufio.NewReaderSize(run, 32<<10)})
		}
		merged := runs[:0]
		for _, run := range runs {
			if ok, err := run.next(); err != nil {
				yield(nil, err)
				return
			} else if ok {
				merged = append(merged, run)
			}
		}
		heap.Init(&merged)
		for len(merged) > 0 {
			if !yield(&merged[0].row, nil) {
				return
			}
			ok, err := merged[0].next()
			switch {
			case err != nil:
				yield(nil, err)
				return
			case ok:
				heap.Fix(&merged, 0)
			default:
				heap.Pop(&merged)
			}
		}
	}
}

func (s *rowSorter) close() error {
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	if failed := os.Remove(s.file.Name()); failed != nil && !errors.Is(failed, os.ErrNotExist) {
		err = errors.Join(err, failed)
	}
	return err
}

// sortedRun is a sequence of sorted rows, in memory or in a file.
type sortedRun struct {
	rows []sortedRow
	in   *bufio.Reader // nil if in memory
	row  sortedRow     // the current one
}

// next reads the next row, and reports whether there is one.
func (r *sortedRun) next() (ok bool, err error) {
	if r.in == nil {
		if len(r.rows) == 0 {
			return false, nil
		}
		r.row, r.rows = r.rows[0], r.rows[1:]
		return true, nil
	}
	key, err := r.read()
	if err == io.EOF {
		return false, nil
	}
	text, errText := r.read()
	how, errHow := r.read()
	history, errHistory := r.read()
	if err := cmp.Or(err, errText, errHow, errHistory); err != nil {
		return false, err
	}
	r.row = sortedRow{string(key), text, inclusion(how[0]), string(history)}
	return true, nil
}

func (r *sortedRun) read() ([]byte, error) {
	length, err := binary.ReadUvarint(r.in)
	if err != nil {
		return nil, err
	}
	part := make([]byte, length)
	_, err = io.ReadFull(r.in, part)
	return part, err
}

// runHeap is a heap of runs by their current rows.
type runHeap []*sortedRun

func (h runHeap) Len() int           { return len(h) }
func (h runHeap) Less(i, j int) bool { return h[i].row.key < h[j].row.key }
func (h runHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *runHeap) Push(run any)      { *h = append(*h, run.(*sortedRun)) }
func (h *runHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// countingWriter counts the bytes written.
type countingWriter struct {
	w io.Writer
	n int64
}

func (c *countingWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}
