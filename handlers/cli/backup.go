package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"stockroom/store/embedded"
)

func backup(ctx context.Context, c *call) error {
	if err := c.requireEmbedded("backup"); err != nil {
		return err
	}
	recipient, err := c.recipient()
	if err != nil {
		return err
	}
	path := c.args[0]
	return c.withMaintenance(ctx, func(m maintenance) error {
		size, err := writeNewFile(path, func(w io.Writer) error {
			return encryptTo(w, recipient, func(w io.Writer) error { return m.Backup(ctx, w) })
		})
		if err != nil {
			return err
		}
		fmt.Fprintf(c.stdout, "Backed up the store in %s to %s (%.1f MB).\n", c.data, path, float64(size)/1e6)
		return nil
	})
}

func restore(ctx context.Context, c *call) (err error) {
	if err := c.requireEmbedded("restore"); err != nil {
		return err
	}
	path := c.args[0]
	file, err := os.Open(path)
	if err != nil {
		return readError(path, err)
	}
	defer closeJoin(file, &err)
	plain, err := c.decrypt(path, bufio.NewReaderSize(file, 1<<20))
	if err != nil {
		return err
	}
	if err := embedded.Restore(ctx, c.data, c.clock, path, plain); err != nil {
		return err
	}
	fmt.Fprintf(c.stdout, "Restored %s into %s.\n", path, c.data)
	return nil
}

func (c *call) requireEmbedded(name string) error {
	if c.dynamodb {
		return usagef("%s works only with the embedded store, not with -dynamodb; use the backups of Amazon DynamoDB", name)
	}
	return nil
}

// writeNewFile writes a new file and returns its size in bytes. The file has a temporary
// name until it is complete and synced to disk. If a file with the final name exists,
// writeNewFile returns an error.
func writeNewFile(path string, write func(io.Writer) error) (size int64, err error) {
	if _, err := os.Lstat(path); err == nil {
		return 0, fmt.Errorf("%s already exists: choose another file", path)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return 0, fmt.Errorf("cannot create %s: %w", path, fileError(err))
	}
	folder := filepath.Dir(path)
	removePartFiles(folder)
	file, err := os.CreateTemp(folder, partPrefix+"*")
	if err != nil {
		return 0, fmt.Errorf("cannot write to the folder %s: %w", folder, fileError(err))
	}
	defer func() { err = errors.Join(err, os.RemoveAll(file.Name())) }()
	counter := countingWriter{w: file}
	if err = write(&counter); err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return 0, err
	}
	if err := embedded.MoveNew(file.Name(), path); err != nil && !errors.Is(err, embedded.ErrNotRemoved) { // RemoveAll removes the former name
		return 0, fmt.Errorf("cannot create %s: %w", path, fileError(err))
	}
	return counter.size, syncFolder(folder)
}

// partPrefix is the prefix of the temporary names of writeNewFile.
const partPrefix = ".stockroom-"

// removePartFiles removes the temporary files of killed commands from a folder, because
// they can be as large as a backup. It keeps recent ones, which may belong to a running
// command, and ignores files that cannot be removed.
func removePartFiles(folder string) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	for _, entry := range entries {
		number, found := strings.CutPrefix(entry.Name(), partPrefix)
		info, err := entry.Info()
		if found && number != "" && strings.Trim(number, "0123456789") == "" && err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > embedded.AbandonedAfter {
			_ = os.Remove(filepath.Join(folder, entry.Name()))
		}
	}
}

type countingWriter struct {
	w    io.Writer
	size int64
}

func (w *countingWriter) Write(p []byte) (int, error) {
	n, err := w.w.Write(p)
	w.size += int64(n)
	return n, err
}

// syncFolder syncs a folder to disk, so that a new file in it survives a power failure.
func syncFolder(path string) (err error) {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	defer closeJoin(folder, &err)
	return folder.Sync()
}
