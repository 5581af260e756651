package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"stockroom/store/embedded"
	"stockroom/store/storetest"
)

// sample makes a store with Amazon's sample in it.
func sample(t *testing.T) (folder string) {
	t.Helper()
	folder = t.TempDir()
	run(t, "table", "create", "-data", folder).want(t, exitDone)
	run(t, "import", "../../store/exchange/testdata/AnOnlineShop.json", "-data", folder).want(t, exitDone)
	return folder
}

// contents are all items of a store that nobody holds.
func contents(t *testing.T, folder string) []map[string]any {
	t.Helper()
	db := storetest.EmbeddedAt(t, folder, clock)
	defer db.Close()
	out, err := db.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("OnlineShop")})
	if err != nil || len(out.Items) == 0 {
		t.Fatalf("%d items, %v", len(out.Items), err)
	}
	items := make([]map[string]any, len(out.Items))
	for i, item := range out.Items {
		items[i] = map[string]any{}
		for name, value := range item {
			items[i][name] = value
		}
	}
	return items
}

func TestABackupIsRestoredAsItWas(t *testing.T) {
	folder := sample(t)
	running := startServer(t, "-data", folder)
	served := filepath.Join(t.TempDir(), "served.backup")
	run(t, "backup", served, "-data", folder).want(t, exitDone, served+" is a backup of the store in "+folder)
	run(t, "check", "-data", folder).want(t, exitDone, "Nothing is wrong")
	if code := running.stop(); code != exitDone {
		t.Fatal(running.stderr.String())
	}
	alone := filepath.Join(t.TempDir(), "alone.backup")
	run(t, "backup", alone, "-data", folder).want(t, exitDone)
	run(t, "check", "-data", folder).want(t, exitDone, "Nothing is wrong")
	for _, backup := range []string{served, alone} {
		if info, err := os.Stat(backup); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("the backup is %v, %v", info, err)
		}
		if left, err := os.ReadDir(filepath.Dir(backup)); err != nil || len(left) != 1 {
			t.Errorf("beside the backup lies %v, %v", left, err)
		}
		restored := filepath.Join(t.TempDir(), "new")
		run(t, "restore", backup, "-data", restored).want(t, exitDone, "The store in "+restored+" is that of "+backup)
		run(t, "check", "-data", restored).want(t, exitDone, "Nothing is wrong")
		if got, want := contents(t, restored), contents(t, folder); !reflect.DeepEqual(got, want) {
			t.Errorf("restored are %d items that are not the %d of the store", len(got), len(want))
		}
	}
}

func TestBackupAndRestoreOverwriteNothing(t *testing.T) {
	folder := sample(t)
	elsewhere := t.TempDir()
	there := save(t, filepath.Join(elsewhere, "there"), "something else")
	run(t, "backup", there, "-data", folder).want(t, exitFailed, there+" is there already")
	if kept, err := os.ReadFile(there); err != nil || string(kept) != "something else" {
		t.Errorf("what was there is now %q, %v", kept, err)
	}
	run(t, "backup", filepath.Join(elsewhere, "none", "b"), "-data", folder).want(t, exitFailed, "none cannot be written")
	run(t, "backup", filepath.Join(elsewhere, "b"), "-data", elsewhere).want(t, exitFailed, "there is no store in the folder")
	good := filepath.Join(elsewhere, "good")
	run(t, "backup", good, "-data", folder).want(t, exitDone)
	run(t, "restore", good, "-data", folder).want(t, exitFailed, "is there already", "another folder")
	run(t, "restore", there, "-data", filepath.Join(elsewhere, "new")).want(t, exitFailed, "stockroom.db")
	run(t, "restore", filepath.Join(elsewhere, "none"), "-data", folder).want(t, exitFailed, "none cannot be read")
	startServer(t, "-data", folder)
	run(t, "restore", good, "-data", folder).want(t, exitFailed, "is there already")
	if left, err := os.ReadDir(elsewhere); err != nil || len(left) != 3 {
		t.Errorf("what failed leaves %v, %v", left, err)
	}
	if _, err := os.Stat(filepath.Join(elsewhere, "new", embedded.FileName)); err == nil {
		t.Error("a store was made of what is no backup")
	}
}

// TestCheckTellsOfDamage damages one value of a store.
func TestCheckTellsOfDamage(t *testing.T) {
	folder := sample(t)
	path := filepath.Join(folder, embedded.FileName)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.LastIndex(data, []byte("Samaneh"))
	if at < 0 {
		t.Fatal("the name is not in the file")
	}
	data[at] ^= 1
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	damaged := func() {
		t.Helper()
		got := run(t, "check", "-data", folder)
		got.want(t, exitFailed, "is damaged, in ", "restore a backup")
		if got.stdout == "" {
			t.Error("what is damaged is not said")
		}
	}
	damaged()
	startServer(t, "-data", folder)
	damaged()
}

func TestAmazonKeepsItsOwnBackups(t *testing.T) {
	for _, line := range [][]string{{"backup", "b"}, {"restore", "b"}, {"check"}} {
		run(t, append(line, "-dynamodb")...).want(t, exitUsage, line[0]+" is about the embedded store")
	}
}
