package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/store/storetest"
)

// createBusiness creates a data folder with a small business. The function change can
// change its records before they are loaded, for example to damage them.
func createBusiness(t *testing.T, change func(*storetest.Business)) (folder string) {
	t.Helper()
	folder = t.TempDir()
	run(t, "table", "create", "-data", folder).want(t, exitDone)
	db := storetest.EmbeddedAt(t, folder, clock)
	business := storetest.NewBusiness()
	change(business)
	business.Load(t, store.New(db, "OnlineShop", clock.Now))
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return folder
}

func TestCheck_ReportsFindings(t *testing.T) {
	t.Parallel()
	folder := createBusiness(t, func(b *storetest.Business) {
		b.Order.ItemCount = 6
		b.Store.Out = 4
	})
	damaged := func() {
		t.Helper()
		got := run(t, "check", "-data", folder)
		got.want(t, exitFailed, "the books are wrong (2 findings)")
		for _, want := range []string{
			"No problems found in the store in " + folder,
			"order-item-count: The order o1 has the item count 6, but its quantities add up to 5. /orders/o1\n",
			"store-counts: The stored kayak counts of store s1 are 1 in, 4 out and 0 in repair, but counting its kayaks gives 1 in, 1 out and 0 in repair. /stores/s1\n",
			"     1 store-counts: each store's numbers of kayaks match the statuses of its kayaks\n",
			"Table OnlineShop: ", " items checked, 2 findings.\n",
		} {
			if !strings.Contains(got.stdout, want) {
				t.Errorf("got %q, want it to contain %q", got.stdout, want)
			}
		}
		run(t, "check", "-engine", "-data", folder).want(t, exitDone, "No problems found")
	}
	damaged()
	startServer(t, "-data", folder)
	damaged()
	got := run(t, "check", "-json", "-business", "-data", folder)
	var report struct {
		Problems []string
		Findings []struct {
			Rule, PK, SK, Text string
			Pages              []string
		}
		Items  int
		ByRule map[string]int
		State  string
	}
	if err := json.Unmarshal([]byte(got.stdout), &report); err != nil {
		t.Fatalf("got no JSON: %v in %s", err, got.stdout)
	}
	if report.State != "wrong" || len(report.Problems) != 0 || len(report.Findings) != 2 || report.Items < 30 || report.ByRule["store-counts"] != 1 || report.Findings[0].Pages[0] != "/orders/o1" {
		t.Errorf("got report %+v, want the state wrong with two findings, one of them of store-counts", report)
	}
}

func TestCheck_OfCorrectBooks(t *testing.T) {
	folder := createBusiness(t, func(*storetest.Business) {})
	position := filepath.Join(t.TempDir(), "position")
	run(t, "check", "-data", folder, "-resume", position).want(t, exitDone, "items checked, 0 findings.")
	if left, err := filepath.Glob(position + "*"); err != nil || len(left) > 0 {
		t.Errorf("got the files %q, %v; want none", left, err)
	}
	got := run(t, "check", "-json", "-data", folder)
	got.want(t, exitDone)
	var report map[string]any
	if err := json.Unmarshal([]byte(got.stdout), &report); err != nil || len(report) != 6 || report["state"] != "correct" {
		t.Errorf("got %s and error %v, want the state correct", got.stdout, err)
	}
	run(t, "check", "-json", "-engine", "-data", folder).want(t, exitDone, `"byRule":{}`)
	if err := os.WriteFile(position, []byte(`{"Table":"Other"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, "check", "-business", "-data", folder, "-resume", position).want(t, exitFailed, position+" contains the progress of a check of table Other")
}

func TestCheck_RefusesWrongFlags(t *testing.T) {
	for _, c := range []struct {
		line []string
		want string
	}{
		{[]string{"-engine", "-business"}, "use either -engine or -business"},
		{[]string{"-engine", "-dynamodb"}, "works only with the embedded store"},
		{[]string{"-engine", "-resume", "file"}, "-resume is for the check of the books"},
		{[]string{"-rcu", "-1"}, "invalid -rcu -1"},
	} {
		run(t, append([]string{"check"}, c.line...)...).want(t, exitUsage, c.want)
	}
}

func TestJobCheck_KeepsTheResult(t *testing.T) {
	wrong := createBusiness(t, func(b *storetest.Business) { b.Store.Out = 4 })
	run(t, "job", "check", "-data", wrong).want(t, exitFailed, "the books are wrong: see the Check page")
	right := createBusiness(t, func(*storetest.Business) {})
	run(t, "job", "check", "-data", right).want(t, exitDone, "items checked, 0 findings.")
	startServer(t, "-data", right)
	run(t, "job", "check", "-data", right).want(t, exitDone, "items checked, 0 findings.")
}

// TestCheck_JSONOfFailure checks the output of check -json for a store that cannot be
// opened.
func TestCheck_JSONOfFailure(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "stockroom.db"), []byte(strings.Repeat("damaged", 10_000)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, data := range []string{folder, filepath.Join(folder, "missing")} {
		got := run(t, "check", "-json", "-data", data)
		var report struct {
			State, Error       string
			Findings, Problems []any
		}
		if err := json.Unmarshal([]byte(got.stdout), &report); err != nil || got.code != exitFailed || report.State != "failed" || report.Error == "" || report.Findings == nil {
			t.Errorf("got exit code %d and %q, %v, want 1 and a failure", got.code, got.stdout, err)
		}
	}
}
