package cli

import (
	"errors"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"stockroom/store/storetest"
)

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

const password = "correct horse battery"

func TestCommands_WhileServing(t *testing.T) {
	folder := t.TempDir()
	running := startServer(t, "-data", folder)
	socket, err := os.Stat(filepath.Join(folder, socketName))
	if err != nil {
		t.Fatal(err)
	}
	if socket.Mode().Perm() != 0o600 || socket.Mode().Type() != os.ModeSocket {
		t.Errorf("got socket mode %v, want 0600", socket.Mode())
	}
	runWith(t, environment{}, password+"\n", "user", "add", "mia", "-password-stdin", "-data", folder).want(t, exitDone, "Added user mia")
	run(t, "user", "list", "-data", folder).want(t, exitDone, "admin", "mia")
	run(t, "table", "check", "-data", folder).want(t, exitDone)
	run(t, "table", "check", "-data", folder, "-table", "Other").want(t, exitFailed, "Other does not exist", "stockroom table create")
	if code := running.stop(); code != exitDone {
		t.Fatalf("got exit code %d: %s", code, running.stderr.String())
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 2 {
		t.Errorf("got files %v, %v, want only the store and the key that seals the history", left, err)
	}
	run(t, "user", "list", "-data", folder).want(t, exitDone, "admin", "mia")
}

func TestSocket_LongPath(t *testing.T) {
	folder := filepath.Join(t.TempDir(), strings.Repeat("deep", 10), strings.Repeat("deeper", 10))
	startServer(t, "-data", folder)
	run(t, "user", "list", "-data", folder).want(t, exitDone, "admin")
}

// TestSocket_UnwritableFolder checks the error if the data folder is not writable. It uses
// a missing folder, because tests that run as root can write to every existing folder.
func TestSocket_UnwritableFolder(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "none")
	_, err := listenSocket(filepath.Join(folder, socketName))
	if want := "cannot write to the data folder " + folder; err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "socket-") {
		t.Errorf("got %v, want %q without the name of a temporary folder", err, want)
	}
}

func TestSocket_LeftByKilledServer(t *testing.T) {
	folder := t.TempDir()
	run(t, "table", "create", "-data", folder).want(t, exitDone)
	left, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(folder, socketName), Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	left.SetUnlinkOnClose(false)
	if err := left.Close(); err != nil {
		t.Fatal(err)
	}
	run(t, "table", "check", "-data", folder).want(t, exitDone)
	startServer(t, "-data", folder)
	run(t, "user", "list", "-data", folder).want(t, exitDone, "admin")
}

func TestSocket_ProcessDoesNotAnswer(t *testing.T) {
	t.Parallel() // the test waits for timeouts
	folder := t.TempDir()
	storetest.EmbeddedAt(t, folder, clock)
	run(t, "user", "list", "-data", folder).want(t, exitFailed, folder+" is in use by another process", "does not answer", "-data")

	silent, err := net.Listen("unix", filepath.Join(folder, socketName))
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	run(t, "user", "list", "-data", folder).want(t, exitFailed, "listens on "+filepath.Join(folder, socketName)+" does not answer")
	if _, err := listenSocket(filepath.Join(folder, socketName)); err == nil || !strings.Contains(err.Error(), "another process listens") {
		t.Errorf("got %v, want an error: another process listens", err)
	}
}

func TestCommands_ReadingCreatesNoStore(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "data")
	for _, line := range []string{"user list", "user disable mia", "table check"} {
		run(t, append(strings.Fields(line), "-data", folder)...).want(t, exitFailed, "the folder "+folder+" has no store")
	}
	if _, err := os.Stat(folder); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s: got %v, want it missing", folder, err)
	}
}
