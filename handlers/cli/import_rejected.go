package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"stockroom/store/exchange"
)

// rejectedFile is the file with the rejected rows of an imported file, next to it.
type rejectedFile struct {
	name string // of the imported file
	path string
	file *os.File // nil if no row was rejected
	out  *exchange.RejectedWriter
	full int // rows for which there was no room
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
		// Only the owner can read the file, because it holds personal data.
		if f.file, err = os.OpenFile(f.path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600); err != nil {
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

// Close closes the file, if there is one.
func (f *rejectedFile) Close() error {
	if f.file == nil {
		return nil
	}
	return f.file.Close()
}
