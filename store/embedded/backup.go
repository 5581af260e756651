package embedded

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Backup writes the store as it is at this moment, as a file that Restore and
// Open take. Reads and writes go on meanwhile.
func (db *DB) Backup(ctx context.Context, w io.Writer) error {
	return db.view(ctx, func(r *readTx) error {
		if _, err := r.bolt.WriteTo(contextWriter{ctx, w}); err != nil {
			return fmt.Errorf("embedded: the backup was not written: %w", err)
		}
		return nil
	})
}

// contextWriter stops writing when its context ends.
type contextWriter struct {
	ctx context.Context
	io.Writer
}

func (w contextWriter) Write(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.Writer.Write(p)
}

// ErrExists is the error of a Restore into a folder that has a store.
var ErrExists = errors.New("is there already")

// Restore makes the store in the folder dir of a backup. The backup is checked
// first, all of it; what is wrong with it is a *FileError, and then there is no
// store in dir. A store that is there already is never touched.
func Restore(ctx context.Context, dir string, clock func() time.Time, backup io.Reader) (err error) {
	path := filepath.Join(dir, FileName)
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return &FileError{path, ErrExists, "move it away first, or restore into another folder"}
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return unwritable(dir, err)
	}
	aside, err := os.MkdirTemp(dir, "restore-")
	if err != nil {
		return unwritable(dir, err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(aside)) }()
	candidate := filepath.Join(aside, FileName)
	if err := copyToFile(candidate, backup); err != nil {
		return err
	}
	if err := checkClosed(ctx, aside, clock); err != nil {
		return err
	}
	// A link fails where a rename would replace what someone else has made.
	if err := os.Link(candidate, path); err != nil {
		return fmt.Errorf("embedded: %w", err)
	}
	return syncFolder(dir)
}

func copyToFile(path string, from io.Reader) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("embedded: %w", err)
	}
	if _, err = io.Copy(f, from); err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("embedded: the backup was not copied: %w", err)
	}
	return nil
}

// checkClosed opens the store in a folder only to check it.
func checkClosed(ctx context.Context, dir string, clock func() time.Time) error {
	db, err := Open(dir, clock, Options{})
	if err != nil {
		return err
	}
	var problems []string
	err = db.Check(ctx, func(problem string) { problems = append(problems, problem) })
	if err = errors.Join(err, db.Close()); err != nil {
		return err
	}
	if len(problems) > 0 {
		return &FileError{"the backup", ErrDamaged, strings.Join(problems, "; ")}
	}
	return nil
}
