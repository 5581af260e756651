package imports

import (
	"errors"
	"fmt"
	"io"

	"stockroom/store/exchange"
)

// RejectedFiles writes the rejected rows of a run. It writes one file for each imported
// file with rejected rows.
type RejectedFiles struct {
	Names  []string // names of the imported files
	Create func(file int, extension string) (io.WriteCloser, error)
	Limit  int // maximum size of all files together, in bytes; 0 means no limit

	files   map[int]*rejectedOutput
	written int  // bytes of all files so far
	full    bool // the limit was reached
}

type rejectedOutput struct {
	RejectedFile
	file io.WriteCloser
	out  *exchange.RejectedWriter
	all  *RejectedFiles
}

// errFull means that the rejected rows of a run have reached the limit.
var errFull = errors.New("the rejected rows have reached their limit")

// Write writes to the file. If the rejected rows would exceed the limit, it returns
// errFull.
func (o *rejectedOutput) Write(p []byte) (int, error) {
	if o.all.full = o.all.full || o.all.Limit > 0 && o.all.written+len(p) > o.all.Limit; o.all.full {
		return 0, errFull
	}
	o.all.written += len(p)
	return o.file.Write(p)
}

func (f *RejectedFiles) write(rows []exchange.RejectedRow) error {
	for i := range rows {
		if err := f.writeRow(&rows[i]); err != nil {
			return fmt.Errorf("cannot write rejected rows: %w", err)
		}
	}
	return nil
}

func (f *RejectedFiles) writeRow(row *exchange.RejectedRow) error {
	o := f.files[row.File]
	if o == nil {
		var err error
		if o, err = f.create(row); err != nil {
			return err
		}
	}
	switch err := o.out.Write(row); {
	case errors.Is(err, errFull) || errors.Is(err, exchange.ErrRejectedFull):
		o.Full++
	case err != nil:
		return err
	default:
		o.Rows++
	}
	return nil
}

func (f *RejectedFiles) create(row *exchange.RejectedRow) (*rejectedOutput, error) {
	extension := ".jsonl"
	if row.IsCSV() {
		extension = ".csv"
	}
	file, err := f.Create(row.File, extension)
	if err != nil {
		return nil, err
	}
	name := f.Names[row.File]
	o := &rejectedOutput{RejectedFile: RejectedFile{File: row.File, Name: name + rejectedSuffix + extension}, file: file, all: f}
	o.out = exchange.NewRejectedWriter(o, name)
	if f.files == nil {
		f.files = map[int]*rejectedOutput{}
	}
	f.files[row.File] = o
	return o, nil
}

// rejectedSuffix is added to the name of the imported file, followed by an extension:
// the rejected rows of orders.csv are in orders.csv.rejected.csv.
const rejectedSuffix = ".rejected"

// List returns the files with rejected rows that were written.
func (f *RejectedFiles) List() (all []RejectedFile) {
	for i := range f.Names {
		if o := f.files[i]; o != nil {
			all = append(all, o.RejectedFile)
		}
	}
	return all
}

// Count returns the number of rejected rows. If a mapping makes several records from
// one source row, the row counts once.
func (f *RejectedFiles) Count() (rows int) {
	for _, o := range f.files {
		rows += o.Rows + o.Full
	}
	return rows
}

func (f *RejectedFiles) close() (err error) {
	for _, o := range f.files {
		err = errors.Join(err, o.file.Close())
	}
	return err
}
