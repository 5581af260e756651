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

	"go.etcd.io/bbolt"
)

// Backup writes a consistent snapshot of the store to w, for Restore. Reads and writes
// continue meanwhile. Backup returns ErrClosed, the context's error, a *DamageError, a
// *FileError if the folder of the store is not writable, or an error of w.
//
// Backup first writes a compacted copy to the folder of the store, which must have space
// for it. It does not copy the file itself, because free pages can contain deleted values.
func (db *DB) Backup(ctx context.Context, w io.Writer) (err error) {
	staging, err := os.MkdirTemp(filepath.Dir(db.path), backupPrefix)
	if err != nil {
		return notWritable(filepath.Dir(db.path), err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(staging)) }()
	copied, _, err := openCopy(filepath.Join(staging, FileName))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, copied.Close()) }()
	err = db.view(ctx, func(snapshot *readTx) error { return db.copyTo(ctx, copied.DB, snapshot.bolt) })
	if err != nil {
		return fmt.Errorf("embedded: copy for backup: %w", err)
	}
	return copied.View(func(tx *bbolt.Tx) error {
		if _, err := tx.WriteTo(contextWriter{ctx, w}); err != nil {
			return fmt.Errorf("embedded: write backup: %w", err)
		}
		return nil
	})
}

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

// ErrExists means that the folder passed to Restore already contains a store.
var ErrExists = errors.New("already exists")

// Restore creates a store in the folder dir from a backup, without the streams of the
// backup. It checks the whole backup first. If the backup is damaged, Restore returns a
// *FileError or a *DamageError. If dir already contains a store, it returns a *FileError.
// After any such error, it has not changed or created a store.
func Restore(ctx context.Context, dir string, clock func() time.Time, backup io.Reader) (err error) {
	path := filepath.Join(dir, FileName)
	exists := &FileError{path, ErrExists, "move it away first, or restore into another folder"}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return exists
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return notWritable(dir, err)
	}
	staging, err := os.MkdirTemp(dir, restorePrefix)
	if err != nil {
		return notWritable(dir, err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(staging)) }()
	candidate := filepath.Join(staging, FileName)
	if err := copyToFile(candidate, backup); err != nil {
		return err
	}
	if err := prepareRestored(ctx, staging, clock); err != nil {
		return err
	}
	if err := MoveNew(candidate, path); errors.Is(err, fs.ErrExist) {
		return exists // another process has just created it
	} else if err != nil {
		return notWritable(path, err)
	}
	return syncDir(dir)
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
		return fmt.Errorf("embedded: copy backup: %w", err)
	}
	return nil
}

// prepareRestored checks the restored store in dir, and removes its streams.
func prepareRestored(ctx context.Context, dir string, clock func() time.Time) error {
	db, err := Open(dir, clock, Options{})
	if err != nil {
		return err
	}
	var problems []string
	err = db.Check(ctx, func(problem string) { problems = append(problems, problem) })
	if err == nil && len(problems) == 0 {
		err = db.dropStreams(ctx)
	}
	if err = errors.Join(err, db.Close()); err != nil {
		return err
	}
	if len(problems) > 0 {
		return &FileError{"the backup", ErrDamaged, strings.Join(problems, "; ") + "; restore another backup"}
	}
	return nil
}
