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

	"stockroom/store/embedded"
)

// backup writes the embedded store as it is at this moment into a new file.
func backup(ctx context.Context, c *call) error {
	if err := c.embeddedOnly("backup"); err != nil {
		return err
	}
	path := c.args[0]
	return c.withKeeper(ctx, func(k keeper) error {
		size, err := writeNew(path, func(w io.Writer) error { return k.Backup(ctx, w) })
		if err != nil {
			return err
		}
		fmt.Fprintf(c.stdout, "%s is a backup of the store in %s, of %.1f MB.\n", path, c.data, float64(size)/1e6)
		return nil
	})
}

// restore makes the embedded store of a backup, where there is none.
func restore(ctx context.Context, c *call) (err error) {
	if err := c.embeddedOnly("restore"); err != nil {
		return err
	}
	path := c.args[0]
	file, err := os.Open(path)
	if err != nil {
		return unreadable(path, err)
	}
	defer release(file, &err)
	if err := embedded.Restore(ctx, c.data, c.clock, bufio.NewReaderSize(file, 1<<20)); err != nil {
		return err
	}
	fmt.Fprintf(c.stdout, "The store in %s is that of %s.\n", c.data, path)
	return nil
}

// check reads the whole embedded store and prints what is wrong with it.
func check(ctx context.Context, c *call) error {
	if err := c.embeddedOnly("check"); err != nil {
		return err
	}
	return c.withKeeper(ctx, func(k keeper) error {
		problems := 0
		err := k.Check(ctx, func(problem string) {
			problems++
			fmt.Fprintln(c.stdout, problem)
		})
		if err != nil {
			return err
		}
		if problems > 0 {
			return fmt.Errorf("the store in %s is damaged, in %d places: what is damaged is refused, the rest can be read; restore a backup into another folder and compare", c.data, problems)
		}
		fmt.Fprintf(c.stdout, "Nothing is wrong with the store in %s: every value, every index entry and every page was read.\n", c.data)
		return nil
	})
}

func (c *call) embeddedOnly(name string) error {
	if c.dynamodb {
		return usagef("%s is about the embedded store, which -dynamodb does without; Amazon DynamoDB has backups of its own", name)
	}
	return nil
}

// writeNew writes a file that is not there yet: whole and on disk, or not at
// all. It returns its size in bytes.
func writeNew(path string, write func(io.Writer) error) (size int64, err error) {
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return 0, fmt.Errorf("%s is there already, and is kept: name another file", path)
	}
	folder := filepath.Dir(path)
	file, err := os.CreateTemp(folder, ".stockroom-*")
	if err != nil {
		return 0, fmt.Errorf("the folder %s cannot be written: %w", folder, unwrapped(err))
	}
	defer func() { err = errors.Join(err, os.Remove(file.Name())) }()
	counted := countingWriter{w: file}
	if err = write(&counted); err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return 0, err
	}
	// A link fails where a rename would replace what someone else has made.
	if err := os.Link(file.Name(), path); err != nil {
		return 0, fmt.Errorf("%s cannot be made: %w", path, unwrapped(err))
	}
	return counted.size, syncFolder(folder)
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

// syncFolder makes the name of a new file as durable as the file.
func syncFolder(path string) (err error) {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	defer release(folder, &err)
	return folder.Sync()
}

// unwrapped is what the system says about a file, without the name that the
// sentence has already.
func unwrapped(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}
