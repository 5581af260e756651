package embedded

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// Prefixes of temporary folders in the folder of a store. Each operation removes its folder
// at the end. If a process is killed, the next process that opens the store removes the
// folder. Users must therefore not give such names to other folders.
const (
	backupPrefix  = ".stockroom-backup-"
	compactPrefix = ".stockroom-compact-"
	createPrefix  = ".stockroom-create-"
	restorePrefix = ".stockroom-restore-"

	// SocketPrefix is the start of the name of the folder in which the command line creates
	// its socket.
	SocketPrefix = ".stockroom-socket-"
)

// makeFolder creates the folder of a store, unless it exists.
func makeFolder(dir string) error {
	err := os.MkdirAll(dir, 0o700)
	var path *fs.PathError
	switch {
	case errors.As(err, &path) && errors.Is(err, syscall.ENOTDIR):
		return &FileError{path.Path, ErrNotFolder, "choose another folder"}
	case err != nil:
		return notWritable(dir, err)
	}
	return nil
}

// createFile creates an empty store in the folder dir. It gives the file its name only when
// the file is complete, so an empty file with this name is never a new store. If another
// process creates the file at the same time, createFile keeps that file.
//
// On a file system without links, createFile does nothing, and bbolt creates and locks the
// file in place. There, a process that is killed at this moment can leave an empty file.
// MoveNew would not help: another process could open the empty file that it creates.
func createFile(dir string, sync bool) (err error) {
	staging, err := os.MkdirTemp(dir, createPrefix)
	if err != nil {
		return notWritable(dir, err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(staging)) }()
	path := filepath.Join(staging, FileName)
	bolt, _, err := openBolt(path, sync)
	if err != nil {
		return err
	}
	if err := errors.Join(writeFormat(bolt.DB), bolt.Close()); err != nil {
		return notWritable(path, err)
	}
	if link(path, filepath.Join(dir, FileName)) != nil {
		return nil
	}
	return syncDir(dir)
}

// AbandonedAfter is the age at which an incomplete backup, or a temporary folder of a
// restore or of a new store, counts as abandoned. A process that uses such a file or folder
// changes it all the time.
const AbandonedAfter = 24 * time.Hour

// inspectFolder removes what killed processes left in the folder of the store, and warns
// if other users can open the folder. The store must be open in this process.
func (db *DB) inspectFolder(dir string) {
	removed, err := db.removeLeftovers(dir)
	if len(removed) > 0 {
		db.log.Info("removed temporary folders of interrupted commands", "folders", removed)
	}
	if err != nil {
		db.log.Warn("cannot remove temporary folders of interrupted commands", "error", err)
	}
	if warning := openToOthers(dir); warning != "" {
		db.warnings = append(db.warnings, warning)
		db.log.Warn(warning)
	}
}

// removeLeftovers removes the temporary folders of killed processes, and returns their
// names. Folders for backups, compaction and sockets belong to the process that has the
// store open, which is this one. Folders of a restore or of a new store can belong to
// another process, so removeLeftovers removes them only if they have not changed for
// AbandonedAfter.
func (db *DB) removeLeftovers(dir string) (removed []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, notWritable(dir, err)
	}
	for _, entry := range entries {
		name := entry.Name()
		if !entry.IsDir() || !isTemporary(name) {
			continue
		}
		path := filepath.Join(dir, name)
		if mayBeInUse(name) && db.clock().Sub(lastChange(path)) < AbandonedAfter {
			continue
		}
		if removeErr := os.RemoveAll(path); removeErr != nil {
			err = errors.Join(err, removeErr)
			continue
		}
		removed = append(removed, name)
	}
	return removed, err
}

// isTemporary reports whether a folder has the name of a temporary folder: a prefix and
// the number that os.MkdirTemp adds.
func isTemporary(name string) bool {
	for _, prefix := range []string{backupPrefix, compactPrefix, createPrefix, restorePrefix, SocketPrefix} {
		if number, found := strings.CutPrefix(name, prefix); found {
			return number != "" && strings.Trim(number, "0123456789") == ""
		}
	}
	return false
}

// mayBeInUse reports whether the temporary folder can belong to a process that does not
// have the store open.
func mayBeInUse(name string) bool {
	return strings.HasPrefix(name, createPrefix) || strings.HasPrefix(name, restorePrefix)
}

func lastChange(folder string) (last time.Time) {
	_ = filepath.WalkDir(folder, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil {
			return nil // the folder or file was just removed
		}
		if info, err := entry.Info(); err == nil && info.ModTime().After(last) {
			last = info.ModTime()
		}
		return nil
	})
	return last
}

// openToOthers returns a warning if other users of the machine can open the folder of a
// store, or else "". On Windows, which has no file modes, it always returns "".
func openToOthers(dir string) string {
	const others, writers = 0o077, 0o022
	info, err := os.Stat(dir)
	if err != nil || runtime.GOOS == "windows" {
		return ""
	}
	mode := info.Mode().Perm()
	what := ""
	switch readable := filesWithMode(dir, others); {
	case mode&others == 0:
		return ""
	case mode&writers != 0:
		what = "replace the files in"
	case len(readable) > 0:
		what = "open " + strings.Join(readable, ", ") + " in"
	default:
		what = "list the files in"
	}
	return fmt.Sprintf("other users of this machine can %s the data folder %s, which has the mode %04o: run 'chmod -R go-rwx %s'", what, dir, mode, dir)
}

// filesWithMode returns the names of the files in a folder that have any of the given
// permissions.
func filesWithMode(dir string, permissions fs.FileMode) (names []string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	for _, entry := range entries {
		if file, err := entry.Info(); err == nil && file.Mode().IsRegular() && file.Mode().Perm()&permissions != 0 {
			names = append(names, entry.Name())
		}
	}
	return names
}
