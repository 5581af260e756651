package loadsim_test

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"stockroom/store/jobs"
	"stockroom/store/loadsim"
)

var (
	update = flag.Bool("update", false, "write the results of the benchmark to docs/scale.md")
	only   = flag.String("only", "", "run only the scenarios whose name contains this `text`, and replace only their rows")
)

// The results in docs/scale.md are between these two lines.
const (
	scaleDocs = "../../docs/scale.md"
	firstLine = "<!-- results of the simulator -->\n"
	lastLine  = "<!-- end of the results -->\n"
)

// orders are the scenarios of a shop.
var orders = []loadsim.Scenario{
	loadsim.Orders(30), loadsim.Orders(50), loadsim.Orders(100), loadsim.OrdersOnServers(100, 4), loadsim.Orders(200), loadsim.ShardedOrders(1_000), loadsim.LargeShop(1_000), loadsim.FlashSale(10), loadsim.FlashSale(100),
	loadsim.OneWarehouse(5), loadsim.OneWarehouse(20), loadsim.OneWarehouse(100), loadsim.Numbered(20), loadsim.Staff(), loadsim.Reshard(20),
	loadsim.OneServerKilled(30), loadsim.FailingPartition(30, 0.2), loadsim.FailingPartition(30, 0.5), loadsim.BillionItems(30),
}

// dueDays are days on which many payments are due. The last one has the settings that 100
// million payments need.
var dueDays = []loadsim.Due{loadsim.DueOnTheFirst(15, jobs.DefaultWorkers), loadsim.DueOnTheFirst(48, jobs.MaxWorkers)}

var outage = loadsim.TenDaysOutage(15, 20)

// simulation is a scenario of the benchmark.
type simulation struct {
	name string
	run  func(*testing.T) (loadsim.Counts, time.Duration)
	say  func(took time.Duration) string // returns a sentence for the results; may be nil
}

func simulations() []simulation {
	var all []simulation
	for i := range orders {
		s := &orders[i]
		all = append(all, simulation{s.Name, func(t *testing.T) (loadsim.Counts, time.Duration) { return simulate(t, s) }, nil})
	}
	for i := range dueDays {
		d := &dueDays[i]
		all = append(all, simulation{d.Name, func(t *testing.T) (loadsim.Counts, time.Duration) { return simulateDue(t, d) }, d.Extrapolate})
	}
	return append(all, simulation{outage.Name, func(t *testing.T) (loadsim.Counts, time.Duration) { return simulateOutage(t, &outage) }, outage.Took})
}

// BenchmarkScenarios runs the scenarios and prints their results. With -update, it also
// writes them to docs/scale.md.
//
//	go test ./store/loadsim -run none -bench . -benchtime 1x -timeout 30m [-only TEXT] [-update]
func BenchmarkScenarios(b *testing.B) {
	for b.Loop() {
		var times string
		summaries := map[string]string{}
		results := loadsim.SummaryHead
		for _, s := range simulations() {
			if !strings.Contains(s.name, *only) {
				continue
			}
			inTest(b, func(t *testing.T) {
				counts, took := s.run(t)
				summaries[s.name] = counts.Summary(s.name, took)
				if s.say != nil {
					times += s.say(took)
				}
			})
			fmt.Print(summaries[s.name])
			results += summaries[s.name]
		}
		fmt.Print(times)
		switch {
		case *update && *only == "":
			writeDocs(b, func(string) string { return "\n" + results + times + "\n" })
		case *update:
			writeDocs(b, func(old string) string { return replaceRows(old, summaries) })
		}
	}
}

// replaceRows returns the results with new rows for some scenarios.
func replaceRows(results string, summaries map[string]string) string {
	var replaced strings.Builder
	for line := range strings.Lines(results) {
		name, _, _ := strings.Cut(strings.TrimPrefix(line, "| "), " |")
		replaced.WriteString(cmp.Or(summaries[name], line))
	}
	return replaced.String()
}

// inTest calls f with a testing.T, which benchmarks do not have and synctest needs.
func inTest(b *testing.B, f func(t *testing.T)) {
	b.Helper()
	all := func(string, string) (bool, error) { return true, nil }
	if !testing.RunTests(all, []testing.InternalTest{{Name: "scenario", F: f}}) {
		b.Fatal("a scenario failed, see the messages above")
	}
}

// writeDocs replaces the results in docs/scale.md with the result of change.
func writeDocs(b *testing.B, change func(results string) string) {
	b.Helper()
	docs, err := os.ReadFile(scaleDocs)
	if err != nil {
		b.Fatal(err)
	}
	before, rest, found := strings.Cut(string(docs), firstLine)
	results, after, foundEnd := strings.Cut(rest, lastLine)
	if !found || !foundEnd {
		b.Fatalf("got no lines %[2]q and %[3]q in %[1]s, want both", scaleDocs, firstLine, lastLine)
	}
	if err := os.WriteFile(scaleDocs, []byte(before+firstLine+change(results)+lastLine+after), 0o644); err != nil {
		b.Fatal(err)
	}
}

func TestDocs_ListScenarios(t *testing.T) {
	docs, err := os.ReadFile(scaleDocs)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range simulations() {
		if !strings.Contains(string(docs), "\n| "+s.name+" |") {
			t.Errorf("got no results of %q in docs/scale.md: run the benchmark with -update", s.name)
		}
	}
}
