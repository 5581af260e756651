package imports

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"stockroom/store"
	"stockroom/store/exchange"
)

// rejectedFiles writes the rejected rows of a run to a file for each uploaded file,
// in the same format as the command line.
type rejectedFiles struct {
	folder  string
	upload  *Upload
	files   map[int]*rejectedOutput
	written int  // bytes of all files
	full    bool // there is no room for more rows
}

type rejectedOutput struct {
	RejectedFile
	file *os.File
	out  *exchange.RejectedWriter
	all  *rejectedFiles
}

// errFull means that the rejected rows of a run exceed MaxRejected.
var errFull = errors.New("the rejected rows of an import are limited")

// Write writes to the file, up to the limit of the run.
func (o *rejectedOutput) Write(p []byte) (int, error) {
	if o.all.full = o.all.full || o.all.written+len(p) > MaxRejected; o.all.full {
		return 0, errFull
	}
	o.all.written += len(p)
	return o.file.Write(p)
}

func rejectedPath(folder string, file int) string {
	return filepath.Join(folder, fmt.Sprintf("rejected-%02d", file))
}

func (f *rejectedFiles) write(rows []exchange.RejectedRow) error {
	for i := range rows {
		row := &rows[i]
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
	}
	return nil
}

func (f *rejectedFiles) create(row *exchange.RejectedRow) (*rejectedOutput, error) {
	extension := ".jsonl"
	if row.IsCSV() {
		extension = ".csv"
	}
	file, err := os.OpenFile(rejectedPath(f.folder, row.File), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	name := f.upload.Files[row.File].Name
	o := &rejectedOutput{RejectedFile: RejectedFile{File: row.File, Name: name + ".rejected" + extension}, file: file, all: f}
	o.out = exchange.NewRejectedWriter(o, name)
	if f.files == nil {
		f.files = map[int]*rejectedOutput{}
	}
	f.files[row.File] = o
	return o, nil
}

func (f *rejectedFiles) list() (all []RejectedFile) {
	for i := range f.upload.Files {
		if o := f.files[i]; o != nil {
			all = append(all, o.RejectedFile)
		}
	}
	return all
}

func (f *rejectedFiles) close() (err error) {
	for _, o := range f.files {
		err = errors.Join(err, o.file.Close())
	}
	return err
}

// Rejected opens the rejected rows of a file, by the index of the uploaded file. It
// returns NotFound if there are none, or if this server does not have them, and
// Conflict before the run has ended.
func (r *Runner) Rejected(id string, file int) (RejectedFile, io.ReadCloser, error) {
	u, err := r.Upload(id)
	if err != nil {
		return RejectedFile{}, nil, err
	}
	run := u.DryRun
	if u.Import != nil {
		run = u.Import
	}
	switch {
	case run == nil:
		return RejectedFile{}, nil, notFound()
	case run.State == store.ImportRunning:
		return RejectedFile{}, nil, &store.Error{Kind: store.Conflict, Message: "The run has not ended. Wait until it has, then download the rejected rows."}
	}
	for _, f := range run.Rejected {
		if f.File != file {
			continue
		}
		content, err := os.Open(rejectedPath(r.path(id), file))
		if errors.Is(err, os.ErrNotExist) {
			return f, nil, notFound()
		}
		return f, content, err
	}
	return RejectedFile{}, nil, &store.Error{Kind: store.NotFound, Message: "No rows of this file were rejected."}
}

// IsCSV reports whether the file is CSV, and not JSON Lines.
func (f *RejectedFile) IsCSV() bool { return strings.HasSuffix(f.Name, ".csv") }
