package cli

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// rejectedFile is the file with the rejected rows of an imported file. It is next to the
// imported file, except in some dry runs; see create. For standard input, it is in the
// current folder.
type rejectedFile struct {
	name   string // name of the imported file
	path   string // path of this file; "" if no rows were rejected
	dryRun bool
	*os.File
}

// create creates the file. Only its owner can read it, because it contains personal data.
// During an import, the file has a temporary name, and Close renames it. If the file exists
// already, a dry run creates its file in a temporary folder instead of replacing it.
func (f *rejectedFile) create(extension string) (_ io.WriteCloser, err error) {
	f.path = f.pathOf(extension)
	if !f.dryRun {
		f.File, err = os.OpenFile(f.path+partSuffix, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
		return f, err
	}
	const onlyNew = os.O_WRONLY | os.O_CREATE | os.O_EXCL
	if f.File, err = os.OpenFile(f.path, onlyNew, 0o600); !errors.Is(err, fs.ErrExist) {
		return f, err
	}
	folder, err := os.MkdirTemp("", "stockroom-rejected-")
	if err != nil {
		return f, err
	}
	f.path = filepath.Join(folder, filepath.Base(f.path))
	f.File, err = os.OpenFile(f.path, onlyNew, 0o600)
	return f, err
}

// partSuffix is the suffix of the temporary name during an import.
const partSuffix = ".part"

// checkRejectedFiles returns an error if the rejected rows of one file would overwrite
// another file that is imported.
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
					return usagef("%s contains the rejected rows of %s, and importing both files together would overwrite it: import them separately", other, labelOf(name))
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

// removeOld removes the file with the rejected rows of an earlier import, if there is one.
func (f *rejectedFile) removeOld() error {
	for _, extension := range []string{".csv", ".jsonl"} {
		if err := os.Remove(f.pathOf(extension)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// Close closes the file. After an import, it also renames the file to its final name.
func (f *rejectedFile) Close() error {
	if err := f.File.Close(); err != nil || f.dryRun {
		return err
	}
	return os.Rename(f.path+partSuffix, f.path)
}
