package cli

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"stockroom/store/embedded"
)

func TestCompact_KeepsStore(t *testing.T) {
	folder := createSample(t)
	want := readItems(t, folder)
	run(t, "compact", "-data", folder).want(t, exitDone, "Compacted the store in "+folder+" from ", " MB to ", "Writes were blocked for")
	if got := readItems(t, folder); !reflect.DeepEqual(got, want) {
		t.Errorf("got %d items that differ from the %d before", len(got), len(want))
	}
	before, err := os.Stat(filepath.Join(folder, embedded.FileName))
	if err != nil {
		t.Fatal(err)
	}
	running := startServer(t, "-data", folder)
	run(t, "compact", "-data", folder).want(t, exitDone, "Compacted the store in "+folder)
	if after, err := os.Stat(filepath.Join(folder, embedded.FileName)); err != nil || os.SameFile(before, after) {
		t.Errorf("got %v, want another file, made by the server", err)
	}
	run(t, "user", "list", "-data", folder).want(t, exitDone, "admin")
	run(t, "check", "-engine", "-data", folder).want(t, exitDone, "No problems found")
	if code := running.stop(); code != exitDone {
		t.Fatal(running.stderr.String())
	}
	run(t, "check", "-engine", "-data", folder).want(t, exitDone, "No problems found")
	run(t, "compact", "-dynamodb").want(t, exitUsage, "compact works only with the embedded store")
	run(t, "compact", "-data", t.TempDir()).want(t, exitFailed, "has no store")
}
