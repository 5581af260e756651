package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"stockroom/store/exchange"
)

// rejectedFile is the file with the rejected rows of an imported file, next to it.
type rejectedFile struct {
	name string // of the imported file
	path string

	dryRun bool
	file   *os.File // nil if no row was rejected
	out    *exchange.RejectedWriter
	full   int // rows for which there was no room
}

func (r *importRun) writeRejected(rows []exchange.RejectedRow) error {
	for i := range rows {
		if err := r.imports[rows[i].File].rejected.write(&rows[i]); err != nil {
			return fmt.Errorf("cannot write rejected rows: %w", err)
		}
	}
	return nil
}

func (f *rejectedFile) write(row *exchange.RejectedRow) (err error) {
	if f.file == nil {
		f.path = f.pathOf(".jsonl")
		if row.IsCSV() {
			f.path = f.pathOf(".csv")
		}
		if err := f.create(); err != nil {
			return err
		}
		f.out = exchange.NewRejectedWriter(f.file, labelOf(f.name))
	}
	err = f.out.Write(row)
	if errors.Is(err, exchange.ErrRejectedFull) {
		f.full++
		return nil
	}
	return err
}

// create creates the file. Only the owner can read it, because it holds personal
// data. An import writes it under another name, and Close renames it. A dry run
// overwrites no file: it writes to a temporary folder if there is one.
func (f *rejectedFile) create() (err error) {
	if !f.dryRun {
		f.file, err = os.OpenFile(f.path+partSuffix, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
		return err
	}
	const onlyNew = os.O_WRONLY | os.O_CREATE | os.O_EXCL
	if f.file, err = os.OpenFile(f.path, onlyNew, 0o600); !errors.Is(err, fs.ErrExist) {
		return err
	}
	folder, err := os.MkdirTemp("", "stockroom-rejected-")
	if err != nil {
		return err
	}
	f.path = filepath.Join(folder, filepath.Base(f.path))
	f.file, err = os.OpenFile(f.path, onlyNew, 0o600)
	return err
}

// partSuffix ends the name of a file that is being written.
const partSuffix = ".part"

// checkRejectedFiles refuses a file that is written with the rejected rows of
// another one.
func (c *call) checkRejectedFiles() error {
	for _, name := range c.args {
		f := rejectedFile{name: name}
		for _, extension := range []string{".csv", ".jsonl"} {
			written, err := os.Stat(f.pathOf(extension))
			if err != nil {
				continue
			}
			for _, other := range c.args {
				if info, err := os.Stat(other); err == nil && os.SameFile(info, written) {
					return usagef("%s has the rejected rows of %s, and importing both would overwrite it: import them one after the other", other, labelOf(name))
				}
			}
		}
	}
	return nil
}

func (f *rejectedFile) pathOf(extension string) string {
	if f.name == "-" {
		return "stdin.rejected" + extension
	}
	return f.name + ".rejected" + extension
}

// removeOld removes the rejected rows of an earlier import of the file.
func (f *rejectedFile) removeOld() error {
	for _, extension := range []string{".csv", ".jsonl"} {
		if err := os.Remove(f.pathOf(extension)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// Close closes the file, if there is one, and gives it its name.
func (f *rejectedFile) Close() error {
	if f.file == nil {
		return nil
	}
	if err := f.file.Close(); err != nil || f.dryRun {
		return err
	}
	return os.Rename(f.path+partSuffix, f.path)
}
