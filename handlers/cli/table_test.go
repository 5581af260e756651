package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"stockroom/store"
)

func TestTableModel(t *testing.T) {
	got := run(t, "table", "model")
	got.want(t, exitDone)
	want, err := store.DesignJSON()
	if err != nil || got.stdout != string(want) || !json.Valid(want) {
		t.Errorf("got error %v, or another output than the stored one: %s", err, got.stdout)
	}
}

// TestTableShards checks the output of 'table shards' before and after the table is
// created.
func TestTableShards(t *testing.T) {
	folder := t.TempDir()
	shards := func(args ...string) result {
		return run(t, append([]string{"table", "shards", "-data", folder}, args...)...)
	}
	shards().want(t, exitDone, "Current shards of table OnlineShop: unknown (the folder ", "Assumptions: 3000000 orders", "Recommended, with room to grow: ")
	run(t, "table", "create", "-data", folder).want(t, exitDone, "Created table OnlineShop in the folder "+folder+".\n")
	if again := run(t, "table", "create", "-data", folder); strings.Contains(again.stdout, "Created") {
		t.Errorf("got %s, want no new table", again.stdout)
	}
	shards("-orders", "1000").want(t, exitDone, "Current shards of table OnlineShop: 1\n", "Assumptions: 1000 orders (-orders) of 250 bytes (-bytes)", "Shards needed on DynamoDB: 1\n", "needs only 1 shard")
	shards("-orders", "30000000", "-bytes", "500").want(t, exitDone, "Shards needed on DynamoDB: 250\n", "at most 48 shards")
	shards("-orders", "1000", "-peak", "1000").want(t, exitDone, "1000 placed per second", "Shards needed on DynamoDB: 8\n", "Recommended, with room to grow: 10\n")
	shards("-orders", "1", "-bytes", "1").want(t, exitDone, "Assumptions: 1 order (-orders) of 1 byte (-bytes)")
	shards("-apply", "3").want(t, exitDone)
	shards().want(t, exitDone, "Current shards of table OnlineShop: 3\n")
	noAWS(t)
	run(t, "table", "shards", "-dynamodb", "-table", "Shop").want(t, exitDone, "run 'stockroom table shards -apply 15 -dynamodb -table Shop'.")
	shards("-open", "many").want(t, exitUsage, "invalid -open")
}

// TestTableTotals imports a quota without the orders that it counts. The command 'table
// totals' must report and correct the quota.
func TestTableTotals(t *testing.T) {
	folder := t.TempDir()
	totals := func(args ...string) result {
		return run(t, append([]string{"table", "totals", "-data", folder}, args...)...)
	}
	totals().want(t, exitUsage, "use either -check or -rebuild")
	file := filepath.Join(folder, "quotas.csv")
	if err := os.WriteFile(file, []byte("EmployeeID,Period,OrderTotal,Orders\ne1,2026-Q4,70,2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	// The row is rejected, because the employee e1 does not exist.
	run(t, "import", "-data", folder, file).want(t, exitFailed, "rejected rows: 1")
	run(t, "import", "-lenient", "-data", folder, file).want(t, exitDone)
	damaged := totals("-check")
	damaged.want(t, exitFailed, "run 'stockroom table totals -rebuild -data "+strconv.Quote(folder)+"'")
	for _, want := range []string{"quota of e1 for 2026-Q4: stored 2 (70), correct 0 (0)\n", "1 total compared, 1 different, 0 corrected"} {
		if !strings.Contains(damaged.stdout, want) {
			t.Errorf("got %q, want %q in it", damaged.stdout, want)
		}
	}
	totals("-rebuild").want(t, exitDone, "quota of e1 for 2026-Q4: stored 2 (70), correct 0 (0)\n", "1 corrected")
	totals("-check").want(t, exitDone, "0 different")
}
