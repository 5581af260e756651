package cli

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// modelOf returns a NoSQL Workbench model with these items.
func modelOf(items ...string) string {
	return fmt.Sprintf(`{"ModelName": "Shop", "DataModel": [{
		"TableName": "OnlineShop",
		"KeyAttributes": {"PartitionKey": {"AttributeName": "PK"}, "SortKey": {"AttributeName": "SK"}},
		"TableData": [%s]
	}]}`, strings.Join(items, ",\n"))
}

const (
	lamp    = `{"PK": {"S": "p#1"}, "SK": {"S": "p#1"}, "EntityType": {"S": "product"}, "Price": {"S": "100"}, "Detail": {"M": {"Name": {"S": "Lamp"}}}}`
	desk    = `{"PK": {"S": "p#2"}, "SK": {"S": "p#2"}, "EntityType": {"S": "product"}, "Price": {"S": "250"}, "Detail": {"M": {"Name": {"S": "Desk"}}}}`
	rolf    = `{"PK": {"S": "c#7"}, "SK": {"S": "c#7"}, "EntityType": {"S": "customer"}, "Name": {"S": "Rolf"}, "Email": {"S": "rolf@example.com"}}`
	unknown = `{"PK": {"S": "x#1"}, "SK": {"S": "x#1"}, "EntityType": {"S": "unicorn"}}`
)

func save(t *testing.T, path, content string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestImport_TwiceChangesNothing(t *testing.T) {
	folder := t.TempDir()
	file := save(t, filepath.Join(folder, "shop.json"), modelOf(lamp, desk, rolf))
	data := filepath.Join(folder, "data")
	run(t, "import", file, "-dry-run", "-data", data).want(t, exitDone, "3 would be added")
	run(t, "import", file, "-data", data).want(t, exitDone, "3 added, 0 unchanged, 0 rejected",
		"  product   2     2      0          0        0       0", "  3     3      0          0        0       0")
	run(t, "import", file, "-data", data).want(t, exitDone, "nothing changed, 3 unchanged, 0 rejected")
	if left, err := os.ReadDir(folder); err != nil || len(left) != 2 {
		t.Errorf("got files %v, %v, want no file of rejected rows", left, err)
	}
}

// TestImport_CountsEveryRow checks the counts of an import with a new row, a row that the
// table already contains, and rejected rows. One rejected row has an unknown entity.
func TestImport_CountsEveryRow(t *testing.T) {
	folder := t.TempDir()
	data := filepath.Join(folder, "data")
	model := save(t, filepath.Join(folder, "shop.json"), modelOf(lamp, strings.Replace(desk, "250", "much", 1), unknown))
	customers := save(t, filepath.Join(folder, "customers.csv"), "CustomerID,Name\n1,Kim\n1,Kim\n,Lee\n")
	run(t, "import", save(t, filepath.Join(folder, "first.json"), modelOf(lamp)), "-data", data).want(t, exitDone)
	got := run(t, "import", model, customers, "-json", "-data", data)
	got.want(t, exitFailed, "rejected rows: 3")
	want := fmt.Sprintf(`{"files":[{"file":%q,"entity":"product","read":2,"added":0,"unchanged":1,"updated":0,"merged":0,"refused":1},`+
		`{"file":%q,"entity":"unknown","read":1,"added":0,"unchanged":0,"updated":0,"merged":0,"refused":1},`+
		`{"file":%q,"entity":"customer","read":3,"added":1,"unchanged":1,"updated":0,"merged":0,"refused":1}]}`+"\n", model, model, customers)
	if got.stdout != want {
		t.Errorf("got %s\nwant %s", got.stdout, want)
	}
}

// TestImport_CountsRowsBeforeDamage checks that the import of a truncated compressed file
// counts the rows before the damage.
func TestImport_CountsRowsBeforeDamage(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	var content bytes.Buffer
	zipped := gzip.NewWriter(&content)
	fmt.Fprint(zipped, "CustomerID,Name\n")
	for n := range 30_000 {
		fmt.Fprintf(zipped, "%d,Kim %x\n", n, sha256.Sum256([]byte{byte(n), byte(n >> 8)}))
	}
	if err := zipped.Close(); err != nil {
		t.Fatal(err)
	}
	content.Truncate(content.Len() / 2)
	file := save(t, filepath.Join(folder, "customers.csv.gz"), content.String())
	got := run(t, "import", file, "-data", filepath.Join(folder, "data"))
	got.want(t, exitFailed, "can't read row", "unexpected EOF")
	if counted := regexp.MustCompile(`customers\.csv\.gz: \d+ added, 0 unchanged, 0 rejected`); !counted.MatchString(got.stdout) {
		t.Errorf("got %q, want the number of rows that were added", got.stdout)
	}
}

// TestImport_StopsAtMaxRefused imports a file with only invalid rows. The import must
// stop soon after the limit of rejected rows, before the end of the file.
func TestImport_StopsAtMaxRefused(t *testing.T) {
	folder := t.TempDir()
	content := "CustomerID,Name\n" + strings.Repeat(",Kim\n", 20_000)
	file := save(t, filepath.Join(folder, "customers.csv"), content)
	got := run(t, "import", file, "-max-refused", "100", "-data", filepath.Join(folder, "data"))
	got.want(t, exitFailed, "stopped: too many rejected rows: ", "(-max-refused is 100)", file+".rejected.csv")
	counted := regexp.MustCompile(`0 unchanged, (\d+) rejected`).FindStringSubmatch(got.stdout)
	if counted == nil {
		t.Fatalf("got %q, want the counts", got.stdout)
	}
	if n, err := strconv.Atoi(counted[1]); err != nil || n <= 100 || n >= 20_000 {
		t.Errorf("got %s rejected rows, want more than 100 and not the whole file", counted[1])
	}
}

// TestImport_OfRepairedFile checks that a file of rejected rows can be corrected and
// imported.
func TestImport_OfRepairedFile(t *testing.T) {
	folder := t.TempDir()
	data := filepath.Join(folder, "data")
	file := save(t, filepath.Join(folder, "customers.csv"), "CustomerID;Name;Phones\n1;Kim;+46 70 123 45 67 89\n;Lee;+46 70 987 65 43 21\n")
	run(t, "import", file, "-data", data).want(t, exitFailed, "rejected rows: 1", file+".rejected.csv")
	rejected, err := os.ReadFile(file + ".rejected.csv")
	if err != nil || string(rejected) != "CustomerID;Name;Phones;Reason\r\n;Lee;\"+46 70 987 65 43 21\";\"CustomerID is missing.\"\r\n" {
		t.Fatalf("got rejected rows %q and error %v, want the row without a customer ID", rejected, err)
	}
	repaired := save(t, file+".rejected.csv", strings.Replace(string(rejected), ";Lee", "2;Lee", 1))
	run(t, "import", repaired, "-data", data).want(t, exitDone, "1 added, 0 unchanged, 0 rejected")
}

func TestImport_WhileServing(t *testing.T) {
	folder := t.TempDir()
	startServer(t, "-data", folder)
	file := save(t, filepath.Join(t.TempDir(), "shop.json"), modelOf(lamp, rolf))
	run(t, "import", file, "-data", folder).want(t, exitDone, "2 added")
	run(t, "-data", folder, "import", file).want(t, exitDone, "nothing changed, 2 unchanged")
}

func TestImport_SavesRejectedRows(t *testing.T) {
	folder := t.TempDir()
	file := save(t, filepath.Join(folder, "shop.json"), modelOf(lamp, unknown, rolf))
	data := filepath.Join(folder, "data")
	rejected := file + ".rejected.jsonl"
	run(t, "import", file, "-data", data).want(t, exitFailed, "rejected rows: 1", rejected)
	rows := readRejected(t, rejected)
	if len(rows) != 1 || rows[0].File != file || rows[0].Table != "OnlineShop" || rows[0].Row != 2 || !strings.Contains(rows[0].Reason, "unicorn") {
		t.Errorf("got rejected rows %+v", rows)
	}
	// The first row is rejected, because it differs from the stored item.
	save(t, file, modelOf(strings.Replace(lamp, "100", "120", 1), rolf))
	run(t, "import", file, "-data", data).want(t, exitFailed, "rejected rows: 1")
	rows = readRejected(t, rejected)
	if len(rows) != 1 || rows[0].Row != 1 || !strings.Contains(rows[0].Reason, "Price") {
		t.Errorf("got rejected rows %+v", rows)
	}
	save(t, file, modelOf(lamp, rolf))
	run(t, "import", file, "-data", data).want(t, exitDone, "nothing changed, 2 unchanged, 0 rejected")
	if _, err := os.Stat(rejected); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("rejected rows of the earlier import: got %v, want them removed", err)
	}
}

type rejectedRow struct {
	File, Table, Reason string
	Row                 int
}

func readRejected(t *testing.T, path string) (rows []rejectedRow) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var line struct{ Rejected rejectedRow }
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, line.Rejected)
	}
	return rows
}

func TestImport_StandardInput(t *testing.T) {
	t.Chdir(t.TempDir())
	runWith(t, environment{}, modelOf(lamp, desk), "import", "-").want(t, exitDone, "standard input: 2 added")
	runWith(t, environment{}, modelOf(unknown), "import", "-").want(t, exitFailed, "rejected rows: 1", "stdin.rejected.jsonl")
	if rows := readRejected(t, "stdin.rejected.jsonl"); len(rows) != 1 {
		t.Errorf("got rejected rows %+v", rows)
	}
}

func TestImport_RejectsInvalidFiles(t *testing.T) {
	folder := t.TempDir()
	good := save(t, filepath.Join(folder, "good.json"), modelOf(lamp))
	data := filepath.Join(folder, "data")
	for _, tt := range []struct {
		name, content, want string
	}{
		{"damaged.json", modelOf(lamp)[:200], "damaged.json, line 4: this is not JSON"},
		{"foreign.json", `{"name": "something else"}`, "not a NoSQL Workbench model"},
		{"empty.json", "", "the file is empty"},
		{"customers.csv", "id,name\n", `customers.csv, line 1: unknown column "id"`},
		{"clients.csv", "CustomerID\n", "clients.csv: unknown CSV file name"},
		{"notes.txt", "", "notes.txt: unknown file type"},
	} {
		file := save(t, filepath.Join(folder, tt.name), tt.content)
		run(t, "import", good, file, "-data", data).want(t, exitFailed, tt.want)
	}
	missing := filepath.Join(folder, "missing.json")
	run(t, "import", good, missing, "-data", data).want(t, exitFailed, "cannot read "+missing+": no such file or directory")
	run(t, "import", good, folder+"/.json", "-data", data).want(t, exitFailed, "cannot read ")
	if _, err := os.Stat(data); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v, want no store: the valid file must not be imported", err)
	}
}

// TestImport_Folder imports the files in a folder. A folder with an incomplete export to
// S3 must be rejected.
func TestImport_Folder(t *testing.T) {
	folder, data := t.TempDir(), t.TempDir()
	for name, content := range map[string]string{
		"a.jsonl": `{"Item": {"PK": {"S": "c#1"}, "SK": {"S": "c#1"}, "Name": {"S": "Kim"}}}` + "\n",
		"b.json":  `{"Items": [{"PK": {"S": "c#2"}, "SK": {"S": "c#2"}, "Name": {"S": "Bo"}}]}`,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run(t, "import", "-data", data, folder).want(t, exitDone)
	exported := run(t, "export", "-format", "csv", "-entity", "customers", "-data", data, filepath.Join(folder, "out"))
	exported.want(t, exitDone, "2 rows")
	if err := os.WriteFile(filepath.Join(folder, "manifest-summary.json"), []byte(`{"itemCount": 7, "outputFormat": "DYNAMODB_JSON"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, "import", "-data", data, folder).want(t, exitFailed, "the manifest is missing")
}

// TestImport_DryRunCreatesNoStore makes a dry run in a data folder without a store. The
// dry run must count the rows, print that there is no store, and leave no files.
func TestImport_DryRunCreatesNoStore(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	folder := filepath.Join(t.TempDir(), "mistyped")
	file := save(t, filepath.Join(t.TempDir(), "shop.json"), modelOf(lamp, rolf))
	got := run(t, "import", "-dry-run", file, "-data", folder)
	got.want(t, exitDone, "2 would be added")
	if want := "The folder " + folder + " has no store, so the dry run compares the files with an empty table.\n"; got.stderr != want {
		t.Errorf("got %q, want %q", got.stderr, want)
	}
	if _, err := os.Stat(folder); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s: got %v, want no folder", folder, err)
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("got %v, %v; want no temporary files", left, err)
	}
	run(t, "import", file, "-data", folder).want(t, exitDone, "2 added")
}
