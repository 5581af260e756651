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

type contextReader struct {
	ctx context.Context
	io.Reader
}

func (r contextReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}

// ErrExists means that the folder passed to Restore already contains a store.
var ErrExists = errors.New("already exists")

// ErrRestored means that Restore created the store, but that a later step failed.
var ErrRestored = errors.New("was restored, but a later step failed")

// Restore creates a store in the folder dir from a backup, without the streams of the
// backup. It checks the whole backup first. If the backup is damaged, or if dir already
// contains a store, Restore returns a *FileError. After any error, it has not changed or
// created a store, except after ErrRestored. Errors name the backup by the argument name.
func Restore(ctx context.Context, dir string, clock func() time.Time, name string, backup io.Reader) (err error) {
	if err := makeFolder(dir); err != nil {
		return err
	}
	path := filepath.Join(dir, FileName)
	exists := &FileError{path, ErrExists, "move it away first, or restore into another folder"}
	if _, err := os.Lstat(path); err == nil {
		return exists
	} else if !errors.Is(err, fs.ErrNotExist) {
		return notWritable(path, err)
	}
	staging, err := os.MkdirTemp(dir, restorePrefix)
	if err != nil {
		return notWritable(dir, err)
	}
	restored := false
	defer func() {
		err = errors.Join(err, os.RemoveAll(staging))
		if err != nil && restored {
			err = &FileError{path, ErrRestored, err.Error()}
		}
	}()
	candidate := filepath.Join(staging, FileName)
	if err := copyToFile(candidate, contextReader{ctx, backup}); err != nil {
		return fmt.Errorf("cannot copy %s: %w", name, err)
	}
	if err := prepareRestored(ctx, staging, clock); err != nil {
		return backupError(err, candidate, name)
	}
	err = MoveNew(candidate, path)
	switch restored = err == nil || errors.Is(err, ErrNotRemoved); {
	case errors.Is(err, fs.ErrExist):
		return exists // another process has just created it
	case !restored:
		return notWritable(path, err)
	}
	return syncDir(dir) // if MoveNew did not remove the candidate, RemoveAll does
}

func copyToFile(path string, from io.Reader) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if _, err = io.Copy(f, from); err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// backupError replaces the path of the restored file in an error by the name of the backup,
// and gives advice about backups.
func backupError(err error, restored, name string) error {
	var file *FileError
	var damage *DamageError
	switch {
	case errors.As(err, &damage):
		return &FileError{name, ErrDamaged, strings.ReplaceAll(damage.finding(), restored, name) + "; restore another backup"}
	case !errors.As(err, &file) || file.Path != restored:
		return err
	}
	switch file.Problem {
	case ErrForeign, ErrEmpty:
		return &FileError{name, file.Problem, "choose a file that 'stockroom backup' has written"}
	case ErrDamaged:
		cause := strings.TrimSuffix(file.Advice, "; restore a backup")
		return &FileError{name, ErrDamaged, strings.ReplaceAll(cause, restored, name) + "; restore another backup"}
	case ErrNewer:
		return &FileError{name, ErrNewer, file.Advice}
	}
	return err
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
		return &FileError{db.path, ErrDamaged, strings.Join(problems, "; ")}
	}
	return nil
}
