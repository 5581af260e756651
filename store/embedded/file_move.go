package embedded

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// link is os.Link, except in tests.
var link = os.Link

// ErrNotRemoved means that MoveNew could not remove the former name of a file.
var ErrNotRemoved = errors.New("the former name was not removed")

// MoveNew renames a file. If a file with the new name exists, MoveNew returns an error that
// wraps fs.ErrExist and changes nothing: os.Rename would replace that file.
//
// If the file has the new name, but also still the former name, MoveNew returns an error that
// wraps ErrNotRemoved.
//
// MoveNew uses a hard link. On file systems without links, it first creates an empty file
// with the new name, and then replaces it. If the process is killed in between, the empty file
// remains.
func MoveNew(from, to string) error {
	err := link(from, to)
	switch {
	case err == nil:
		if err := os.Remove(from); err != nil {
			return fmt.Errorf("%w: %w", ErrNotRemoved, err)
		}
		return nil
	case errors.Is(err, fs.ErrExist):
		return err
	}
	reserved, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if err = errors.Join(reserved.Close(), os.Rename(from, to)); err != nil {
		return errors.Join(err, os.Remove(to))
	}
	return nil
}
