package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"stockroom/store"
)

// TestImport_OfPipe imports pipes. The import must read each pipe once, and record the
// digest of what it read.
func TestImport_OfPipe(t *testing.T) {
	for name, content := range map[string]string{
		"customers.csv": "CustomerID,Name\n1,Kim\n",
		"items.jsonl":   `{"Item":{"EntityType":{"S":"region"},"PK":{"S":"r#1"},"SK":{"S":"r#1"},"Name":{"S":"North"}}}` + "\n",
	} {
		data, path := t.TempDir(), filepath.Join(t.TempDir(), name)
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Fatal(err)
		}
		go func() { _ = os.WriteFile(path, []byte(content), 0o600) }()
		imported := make(chan result, 1)
		go func() { imported <- run(t, "import", path, "-data", data) }()
		select {
		case got := <-imported:
			got.want(t, exitDone, "1 added")
		case <-time.After(30 * time.Second):
			t.Fatalf("%s: the import waits for the pipe", name)
		}
		digest := sha256.Sum256([]byte(content))
		want := []store.ImportFile{{Name: name, Size: len(content), Digest: hex.EncodeToString(digest[:])}}
		if got := lastImport(t, openStore(t, data)).run.Files; !slices.Equal(got, want) {
			t.Errorf("got files %+v, want %+v", got, want)
		}
	}
}
