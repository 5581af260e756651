package embedded_test

import (
	"bytes"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"stockroom/store/embedded"
)

// TestOpen_TruncatedFile makes the file of a store empty. Open must return an error
// instead of creating a new store in this file. Restore must not replace the file.
func TestOpen_TruncatedFile(t *testing.T) {
	dir := t.TempDir()
	db := open(t, dir)
	create(t, db, shopTable())
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(file(dir), 0); err != nil {
		t.Fatal(err)
	}
	wantOpenError(t, dir, embedded.ErrEmpty)
	if err := embedded.Restore(t.Context(), dir, newTestClock().now, "the backup", &bytes.Buffer{}); !errors.Is(err, embedded.ErrExists) {
		t.Errorf("restore over an empty file: got %v, want ErrExists", err)
	}
}

// TestMoveNew moves a file with and without hard links. It must never replace a file.
func TestMoveNew(t *testing.T) {
	for name, noLinks := range map[string]bool{"links": false, "no links": true} {
		t.Run(name, func(t *testing.T) {
			if noLinks {
				embedded.SetLink(t, func(from, to string) error { return &os.LinkError{Op: "link", Old: from, New: to, Err: syscall.EPERM} })
			}
			dir := t.TempDir()
			from, to, existing := filepath.Join(dir, "from"), filepath.Join(dir, "to"), filepath.Join(dir, "existing")
			for _, path := range []string{from, existing} {
				if err := os.WriteFile(path, []byte(path), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if err := embedded.MoveNew(from, existing); !errors.Is(err, fs.ErrExist) {
				t.Errorf("got %v, want fs.ErrExist", err)
			}
			if err := embedded.MoveNew(from, to); err != nil {
				t.Fatal(err)
			}
			for path, want := range map[string]string{to: from, existing: existing} {
				if got, err := os.ReadFile(path); err != nil || string(got) != want {
					t.Errorf("%s: got %q, error %v; want %q", path, got, err, want)
				}
			}
			if _, err := os.Stat(from); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("got %v for the former name, want fs.ErrNotExist", err)
			}
			if err := embedded.MoveNew(from, filepath.Join(dir, "other")); err == nil {
				t.Error("got no error for a file that does not exist, want one")
			}
			if left, err := os.ReadDir(dir); err != nil || len(left) != 2 {
				t.Errorf("got files %v, error %v; want 2", left, err)
			}
		})
	}
}

// TestRestore_SaysWhatFailed restores into a folder that is not readable, and with a failure
// after the store was created. The errors must not say that a store exists already, and the
// second one must say that the store was restored.
func TestRestore_SaysWhatFailed(t *testing.T) {
	db := openShop(t)
	put(t, db, key("a", "1"))
	var backup bytes.Buffer
	if err := db.Backup(t.Context(), &backup); err != nil {
		t.Fatal(err)
	}
	restore := func(dir string) error {
		return embedded.Restore(t.Context(), dir, newTestClock().now, "the backup", bytes.NewReader(backup.Bytes()))
	}
	if os.Getuid() != 0 { // root may read all folders
		dir := t.TempDir()
		if err := os.Chmod(dir, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := restore(dir); !errors.Is(err, embedded.ErrUnwritable) {
			t.Errorf("no access: got %v, want ErrUnwritable", err)
		}
	}
	dir := filepath.Join(t.TempDir(), "data")
	embedded.SetLink(t, func(from, to string) error {
		return errors.Join(os.Link(from, to), os.Rename(dir, dir+".moved")) // the former name can't be removed then
	})
	if err := restore(dir); !errors.Is(err, embedded.ErrRestored) {
		t.Errorf("failure after the link: got %v, want ErrRestored", err)
	}
	if _, err := os.Stat(file(dir + ".moved")); err != nil {
		t.Errorf("got %v, want the restored store", err)
	}
}

// TestRestore_WithoutLinks restores a backup on a file system without hard links.
func TestRestore_WithoutLinks(t *testing.T) {
	db := openShop(t)
	put(t, db, key("a", "1"))
	var backup bytes.Buffer
	if err := db.Backup(t.Context(), &backup); err != nil {
		t.Fatal(err)
	}
	embedded.SetLink(t, func(string, string) error { return syscall.EPERM })
	dir := t.TempDir()
	if err := embedded.Restore(t.Context(), dir, newTestClock().now, "the backup", &backup); err != nil {
		t.Fatal(err)
	}
	mustEqual(t, get(t, open(t, dir), key("a", "1")), key("a", "1"))
}

// TestOpen_NewStoreAppearsComplete opens a new folder several times at the same time, as
// several processes would. One Open must create the store, and the others must find it in
// use.
func TestOpen_NewStoreAppearsComplete(t *testing.T) {
	t.Parallel() // the test waits for a lock
	dir := t.TempDir()
	var wait sync.WaitGroup
	opened := make(chan *embedded.DB, 4)
	for range cap(opened) {
		wait.Go(func() {
			db, err := embedded.Open(dir, newTestClock().now, embedded.Options{})
			switch {
			case err == nil:
				opened <- db
			case !errors.Is(err, embedded.ErrInUse):
				t.Errorf("got %v, want ErrInUse", err)
			}
		})
	}
	wait.Wait()
	close(opened)
	if len(opened) != 1 {
		t.Errorf("got %d open stores, want 1", len(opened))
	}
	for db := range opened {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
	if got := names(t, dir); !reflect.DeepEqual(got, []string{embedded.FileName}) {
		t.Errorf("got files %q, want the store only", got)
	}
}

func names(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

func TestOpen_RemovesLeftovers(t *testing.T) {
	dir := t.TempDir()
	if err := open(t, dir).Close(); err != nil {
		t.Fatal(err)
	}
	now := newTestClock().now()
	old := now.Add(-25 * time.Hour)
	for name, changed := range map[string]time.Time{
		".stockroom-backup-123": now,
		".stockroom-socket-9":   now,
		".stockroom-restore-1":  old,
		".stockroom-restore-2":  now, // another process may still be restoring
		".stockroom-backup-":    old, // lacks the number, so the program did not create it
		"backup-20261128":       old,
		"photos-12":             old,
	} {
		folder := filepath.Join(dir, name)
		content := filepath.Join(folder, embedded.FileName)
		err := errors.Join(os.Mkdir(folder, 0o700), os.WriteFile(content, []byte("x"), 0o600), os.Chtimes(content, changed, changed), os.Chtimes(folder, changed, changed))
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, ".stockroom-backup-77"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	want := []string{".stockroom-backup-", ".stockroom-backup-77", ".stockroom-restore-2", "backup-20261128", "photos-12", embedded.FileName}
	db := open(t, dir)
	if got := names(t, dir); !reflect.DeepEqual(got, want) {
		t.Errorf("got files %q, want %q", got, want)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestOpen_InUseKeepsFolders checks that only the process that has the store open removes
// temporary folders.
func TestOpen_InUseKeepsFolders(t *testing.T) {
	t.Parallel() // the test waits for a lock
	dir := t.TempDir()
	open(t, dir)
	if err := os.Mkdir(filepath.Join(dir, ".stockroom-backup-1"), 0o700); err != nil {
		t.Fatal(err)
	}
	wantOpenError(t, dir, embedded.ErrInUse)
	if got := names(t, dir); !reflect.DeepEqual(got, []string{".stockroom-backup-1", embedded.FileName}) {
		t.Errorf("got files %q, want the folder of the running backup too", got)
	}
}

func TestOpen_WarnsAboutOpenFolder(t *testing.T) {
	for _, test := range []struct {
		folder, file os.FileMode
		want         string
	}{
		{0o700, 0o600, ""},
		{0o700, 0o644, ""},
		{0o755, 0o600, "list the files in"},
		{0o750, 0o644, "open " + embedded.FileName + " in"},
		{0o777, 0o600, "replace the files in"},
		{0o770, 0o644, "replace the files in"},
	} {
		dir := t.TempDir()
		if err := open(t, dir).Close(); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(os.Chmod(dir, test.folder), os.Chmod(file(dir), test.file)); err != nil {
			t.Fatal(err)
		}
		var log bytes.Buffer
		db, err := embedded.Open(dir, newTestClock().now, embedded.Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
		if err != nil {
			t.Fatal(err)
		}
		warnings := strings.Join(db.Warnings(), "\n")
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		if test.want == "" && (warnings != "" || log.Len() > 0) {
			t.Errorf("%v, %v: got warnings %q and log %s, want none", test.folder, test.file, warnings, log.String())
		}
		if !strings.Contains(warnings, test.want) || !strings.Contains(log.String(), test.want) {
			t.Errorf("%v, %v: got warnings %q and log %s, want %q", test.folder, test.file, warnings, log.String(), test.want)
		}
		if test.want != "" && !strings.Contains(warnings, "chmod -R go-rwx "+dir) {
			t.Errorf("got warning %q, want it to say how to close the folder", warnings)
		}
	}
}
