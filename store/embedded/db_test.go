package embedded_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"stockroom/store/embedded"
)

func file(dir string) string { return filepath.Join(dir, embedded.FileName) }

// wantOpenError checks that Open returns a FileError that wraps kind within 30 seconds.
// The message must be one line with the path. Open must not change the file.
func wantOpenError(t *testing.T, dir string, kind error) {
	t.Helper()
	before, readErr := os.ReadFile(file(dir))
	start := time.Now()
	db, err := embedded.Open(dir, newTestClock().now, embedded.Options{})
	if err == nil {
		t.Fatalf("Open succeeded, want %q (Close: %v)", kind, db.Close())
	}
	var fileError *embedded.FileError
	if !errors.As(err, &fileError) || !errors.Is(err, kind) {
		t.Fatalf("got %v, want %q", err, kind)
	}
	if !strings.Contains(err.Error(), dir) || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), ": ") {
		t.Errorf("got message %q, want one line with the path", err)
	}
	if waited := time.Since(start); waited > 30*time.Second {
		t.Errorf("got an error after %v, want one within 30s", waited)
	}
	if after, err := os.ReadFile(file(dir)); readErr == nil && (err != nil || !bytes.Equal(before, after)) {
		t.Errorf("got a changed file (error %v), want it unchanged", err)
	}
}

// waitFor waits until done returns true. It fails after a time that is long enough for a
// slow machine.
func waitFor(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(5 * time.Minute); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("got no %s in time, want one", what)
		}
	}
}

func TestOpen_CreatesPrivateFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "data")
	open(t, dir)
	for path, want := range map[string]fs.FileMode{dir: 0o700, file(dir): 0o600} {
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: got mode %v, error %v; want %v", path, info.Mode(), err, want)
		}
	}
}

func TestOpen_FolderInUse(t *testing.T) {
	t.Parallel() // the test waits for a lock
	dir := t.TempDir()
	open(t, dir)
	wantOpenError(t, dir, embedded.ErrInUse)
}

func TestOpen_ForeignFile(t *testing.T) {
	write := func(content []byte) string {
		dir := t.TempDir()
		if err := os.WriteFile(file(dir), content, 0o600); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	for _, content := range []string{"x", "SQLite format 3\x00", strings.Repeat("not a store at all ", 4096), strings.Repeat("\x00", 16<<10)} {
		wantOpenError(t, write([]byte(content)), embedded.ErrForeign)
	}
	dir := t.TempDir()
	other, err := bbolt.Open(file(dir), 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(other.Update(func(tx *bbolt.Tx) error {
		_, err := tx.CreateBucket([]byte("theirs"))
		return err
	}), other.Close())
	if err != nil {
		t.Fatal(err)
	}
	wantOpenError(t, dir, embedded.ErrForeign)
}

func TestOpen_NewerFormat(t *testing.T) {
	dir := t.TempDir()
	if err := open(t, dir).Close(); err != nil {
		t.Fatal(err)
	}
	bolt, err := bbolt.Open(file(dir), 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(bolt.Update(func(tx *bbolt.Tx) error {
		return tx.Bucket([]byte("stockroom")).Put([]byte("format"), binary.BigEndian.AppendUint64(nil, 99<<32|(1<<32-1-99)))
	}), bolt.Close())
	if err != nil {
		t.Fatal(err)
	}
	wantOpenError(t, dir, embedded.ErrNewer)
}

func TestOpen_UnwritableFolder(t *testing.T) {
	notFolder := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(notFolder, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	wantOpenError(t, notFolder, embedded.ErrNotFolder)
	_, err := embedded.Open(filepath.Join(notFolder, "data"), newTestClock().now, embedded.Options{})
	if !errors.Is(err, embedded.ErrNotFolder) || !strings.HasPrefix(err.Error(), notFolder+" is not a folder: ") {
		t.Errorf("got %v, want ErrNotFolder with the path of the file", err)
	}
	isFolder := t.TempDir()
	if err := os.Mkdir(file(isFolder), 0o700); err != nil {
		t.Fatal(err)
	}
	wantOpenError(t, isFolder, embedded.ErrUnwritable)
	if os.Geteuid() != 0 { // root can write to every folder
		readOnly := t.TempDir()
		if err := os.Chmod(readOnly, 0o500); err != nil {
			t.Fatal(err)
		}
		wantOpenError(t, readOnly, embedded.ErrUnwritable)
	}
}

func TestClosedStore_ReturnsErrClosed(t *testing.T) {
	db := openShop(t)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); !errors.Is(err, embedded.ErrClosed) {
		t.Errorf("second Close: got %v, want ErrClosed", err)
	}
	if _, err := db.SweepExpired(t.Context(), 1); !errors.Is(err, embedded.ErrClosed) {
		t.Errorf("write: got %v, want ErrClosed", err)
	}
	if err := db.Backup(t.Context(), &bytes.Buffer{}); !errors.Is(err, embedded.ErrClosed) {
		t.Errorf("read: got %v, want ErrClosed", err)
	}
}
