package cli

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/embedded"
	"stockroom/store/storetest"
	"stockroom/store/table"
)

// createSample creates a store with the published sample.
func createSample(t *testing.T) (folder string) {
	t.Helper()
	folder = t.TempDir()
	run(t, "table", "create", "-data", folder).want(t, exitDone)
	run(t, "import", "../../store/exchange/testdata/AnOnlineShop.json", "-data", folder).want(t, exitDone)
	return folder
}

// readItems returns all items of a store except costs. The store must not be open.
func readItems(t *testing.T, folder string) []map[string]any {
	t.Helper()
	db := storetest.EmbeddedAt(t, folder, clock)
	defer db.Close()
	out, err := db.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("OnlineShop")})
	if err != nil || len(out.Items) == 0 {
		t.Fatalf("got %d items and error %v, want items", len(out.Items), err)
	}
	var items []map[string]any
	for _, item := range out.Items {
		// Skip costs, which a server writes once a minute and when it stops.
		if kind, ok := item[table.AttrType].(*types.AttributeValueMemberS); ok && kind.Value == (&store.DayCosts{}).EntityType() {
			continue
		}
		values := map[string]any{}
		for name, value := range item {
			values[name] = value
		}
		items = append(items, values)
	}
	return items
}

func TestBackup_RestoresEqualStore(t *testing.T) {
	folder := createSample(t)
	// Seal the history, so that the server does not seal it during the test.
	runWith(t, environment{auditKeyVariable: strings.Repeat("k", 40)}, "", "audit", "seal", "-data", folder).want(t, exitDone)
	running := startServer(t, "-data", folder)
	served := filepath.Join(t.TempDir(), "served.backup")
	run(t, "backup", served, "-data", folder).want(t, exitDone, "Backed up the store in "+folder+" to "+served)
	run(t, "check", "-engine", "-data", folder).want(t, exitDone, "No problems found")
	if code := running.stop(); code != exitDone {
		t.Fatal(running.stderr.String())
	}
	offline := filepath.Join(t.TempDir(), "offline.backup")
	run(t, "backup", offline, "-data", folder).want(t, exitDone)
	run(t, "check", "-engine", "-data", folder).want(t, exitDone, "No problems found")
	for _, backup := range []string{served, offline} {
		if info, err := os.Stat(backup); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("got backup %v, %v, want mode 0600", info, err)
		}
		if left, err := os.ReadDir(filepath.Dir(backup)); err != nil || len(left) != 1 {
			t.Errorf("got files %v, %v, want the backup only", left, err)
		}
		restored := filepath.Join(t.TempDir(), "new")
		run(t, "restore", backup, "-data", restored).want(t, exitDone, "Restored "+backup+" into "+restored)
		run(t, "check", "-engine", "-data", restored).want(t, exitDone, "No problems found")
		if got, want := readItems(t, restored), readItems(t, folder); !reflect.DeepEqual(got, want) {
			t.Errorf("got %d items that differ from the %d of the store", len(got), len(want))
		}
	}
}

func TestBackup_OverwritesNothing(t *testing.T) {
	folder := createSample(t)
	elsewhere := t.TempDir()
	existing := save(t, filepath.Join(elsewhere, "existing"), "something else")
	run(t, "backup", existing, "-data", folder).want(t, exitFailed, existing+" already exists")
	if content, err := os.ReadFile(existing); err != nil || string(content) != "something else" {
		t.Errorf("existing file: got content %q and error %v, want the old content", content, err)
	}
	run(t, "backup", filepath.Join(elsewhere, "none", "b"), "-data", folder).want(t, exitFailed, "cannot write to the folder ")
	run(t, "backup", filepath.Join(elsewhere, "b"), "-data", elsewhere).want(t, exitFailed, "has no store")
	good := filepath.Join(elsewhere, "good")
	run(t, "backup", good, "-data", folder).want(t, exitDone)
	run(t, "restore", good, "-data", folder).want(t, exitFailed, "already exists", "another folder")
	run(t, "restore", existing, "-data", filepath.Join(elsewhere, "new")).want(t, exitFailed, existing+" is not a Stockroom store: choose a file that 'stockroom backup' has written")
	run(t, "restore", filepath.Join(elsewhere, "none"), "-data", folder).want(t, exitFailed, "cannot read ")
	startServer(t, "-data", folder)
	run(t, "restore", good, "-data", folder).want(t, exitFailed, "already exists")
	if left, err := os.ReadDir(elsewhere); err != nil || len(left) != 3 {
		t.Errorf("got files %v, %v, want 3", left, err)
	}
	if _, err := os.Stat(filepath.Join(elsewhere, "new", embedded.FileName)); err == nil {
		t.Error("restore of an invalid file created a store")
	}
}

// TestBackup_RemovesIncompleteFiles creates the incomplete files of two killed backups. A
// backup must remove the old file. It must not remove the new file, because another command
// may still be writing it.
func TestBackup_RemovesIncompleteFiles(t *testing.T) {
	folder, elsewhere := createSample(t), t.TempDir()
	now := time.Now() // not the time of the file system, which may differ
	for name, age := range map[string]time.Duration{".stockroom-123": 48 * time.Hour, ".stockroom-notes": 48 * time.Hour, ".stockroom-45": 0} {
		path := save(t, filepath.Join(elsewhere, name), "part")
		if err := os.Chtimes(path, now.Add(-age), now.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	run(t, "backup", filepath.Join(elsewhere, "b"), "-data", folder).want(t, exitDone)
	var left []string
	entries, err := os.ReadDir(elsewhere)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		left = append(left, entry.Name())
	}
	if want := []string{".stockroom-45", ".stockroom-notes", "b"}; !reflect.DeepEqual(left, want) {
		t.Errorf("got files %q, want %q", left, want)
	}
}

// TestCheck_ReportsDamage changes one bit in each copy of a name in the file. A check
// must report the damage.
func TestCheck_ReportsDamage(t *testing.T) {
	folder := createSample(t)
	path := filepath.Join(folder, embedded.FileName)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(data, []byte("Samaneh")) {
		t.Fatal("the name is not in the file")
	}
	data = bytes.ReplaceAll(data, []byte("Samaneh"), []byte("Ramaneh"))
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	damaged := func() {
		t.Helper()
		got := run(t, "check", "-engine", "-data", folder)
		got.want(t, exitFailed, "is damaged (", "restore a backup")
		if got.stdout == "" {
			t.Error("got no problem on standard output")
		}
	}
	damaged()
	run(t, "export", "-data", folder, filepath.Join(folder, "out")).want(t, exitFailed, "is damaged", "the files that this export created in "+filepath.Join(folder, "out")+" are incomplete: delete them")
	startServer(t, "-data", folder)
	damaged()
}

// TestCheck_ReportsDamagedHeader damages one header page. All data can be read, so the check
// must not advise to restore a backup.
func TestCheck_ReportsDamagedHeader(t *testing.T) {
	folder := createSample(t)
	path := filepath.Join(folder, embedded.FileName)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	copy(data[20:], "xxxx")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	got := run(t, "check", "-engine", "-data", folder)
	got.want(t, exitFailed, "all other pages are intact: the next changes replace this page")
	if strings.Contains(got.stderr, "restore a backup") || !strings.Contains(got.stdout, "header page 0 of") {
		t.Errorf("got %s\n%s\nwant the damaged page, and no advice to restore a backup", got.stdout, got.stderr)
	}
}

// TestBackup_NamesProblemOfServer makes a backup through a server that cannot write to its
// data folder, because the folder was removed. The command must print the reason.
func TestBackup_NamesProblemOfServer(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "data")
	engine := storetest.EmbeddedAt(t, folder, clock)
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(maintenanceHandler(engine, http.NotFoundHandler()))
	defer server.Close()
	client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "tcp", server.Listener.Addr().String())
	}}}
	defer client.CloseIdleConnections()
	var written bytes.Buffer
	if err := (remoteMaintenance{client}).Backup(t.Context(), &written); err == nil || !strings.Contains(err.Error(), folder+" cannot be written") || written.Len() > 0 {
		t.Errorf("got %v and %d bytes, want the reason and none", err, written.Len())
	}
}

func TestBackup_RefusesDynamoDB(t *testing.T) {
	for _, line := range [][]string{{"backup", "b"}, {"restore", "b"}} {
		run(t, append(line, "-dynamodb")...).want(t, exitUsage, line[0]+" works only with the embedded store")
	}
}
