package spill

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// TempFile is a temporary file. If the system allows it, the open file has no name, so that
// a crash leaves no file.
//
// The errors of a TempFile are not PathErrors, because callers take the path of a PathError
// for that of a file that the user named.
type TempFile struct {
	file  *os.File
	named bool // Close removes the file
}

// CreateTemp creates a temporary file in the folder. If folder is "", this is the system's
// temporary folder.
func CreateTemp(folder string) (*TempFile, error) {
	file, err := os.CreateTemp(folder, ".stockroom-*")
	if err != nil {
		return nil, tempError(err)
	}
	return &TempFile{file, os.Remove(file.Name()) != nil}, nil
}

func (f *TempFile) Read(p []byte) (int, error) {
	n, err := f.file.Read(p)
	return n, tempError(err)
}

func (f *TempFile) ReadAt(p []byte, at int64) (int, error) {
	n, err := f.file.ReadAt(p, at)
	return n, tempError(err)
}

func (f *TempFile) Write(p []byte) (int, error) {
	n, err := f.file.Write(p)
	return n, tempError(err)
}

func (f *TempFile) WriteAt(p []byte, at int64) (int, error) {
	n, err := f.file.WriteAt(p, at)
	return n, tempError(err)
}

func (f *TempFile) Seek(offset int64, whence int) (int64, error) {
	position, err := f.file.Seek(offset, whence)
	return position, tempError(err)
}

// Sync writes the file to the disk.
func (f *TempFile) Sync() error { return tempError(f.file.Sync()) }

// Close closes and deletes the file.
func (f *TempFile) Close() error {
	err := f.file.Close()
	if f.named {
		err = errors.Join(err, os.Remove(f.file.Name()))
	}
	return tempError(err)
}

// tempError replaces the path in an error of the file system with the folder.
func tempError(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return fmt.Errorf("cannot %s a temporary file in %s: %w", path.Op, filepath.Dir(path.Path), path.Err)
	}
	return err
}
