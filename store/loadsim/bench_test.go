package loadsim_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"stockroom/store/jobs"
	"stockroom/store/loadsim"
)

var update = flag.Bool("update", false, "write the results of the benchmark to docs/scale.md")

// scaleDocs contains the results between these two lines.
const (
	scaleDocs = "../../docs/scale.md"
	firstLine = "<!-- results of the simulator -->\n"
	lastLine  = "<!-- end of the results -->\n"
)

// scenarios are the scenarios of the benchmark.
var scenarios = []loadsim.Scenario{
	loadsim.Orders(30), loadsim.Orders(200), loadsim.Orders(1_000), loadsim.FlashSale(100), loadsim.OneWarehouse(20), loadsim.OneWarehouse(100),
}

// dueDays are the days of the benchmark on which many payments are due. The last one has
// the settings for 100 million payments.
var dueDays = []loadsim.Due{loadsim.DueOnTheFirst(15, jobs.DefaultWorkers), loadsim.DueOnTheFirst(48, jobs.MaxWorkers)}

// BenchmarkScenarios runs all scenarios and prints their results. With -update, it also
// writes them to docs/scale.md.
//
//	go test ./store/loadsim -run none -bench . -benchtime 1x -timeout 30m [-update]
func BenchmarkScenarios(b *testing.B) {
	for b.Loop() {
		var results strings.Builder
		results.WriteString(loadsim.SummaryHead)
		var details strings.Builder
		details.WriteString("\n" + loadsim.DetailHead)
		for _, s := range scenarios {
			inTest(b, func(t *testing.T) {
				counts := simulate(t, &s)
				results.WriteString(counts.Summary(s.Name, s.Measured))
				details.WriteString(counts.Detail(s.Name, s.Measured))
			})
		}
		var times strings.Builder
		for _, due := range dueDays {
			inTest(b, func(t *testing.T) {
				counts, took := simulateDue(t, &due)
				results.WriteString(counts.Summary(due.Name, took))
				details.WriteString(counts.Detail(due.Name, took))
				times.WriteString(due.Extrapolate(took))
			})
		}
		details.WriteString(times.String())
		fmt.Println(results.String() + details.String())
		if *update {
			writeDocs(b, results.String()+details.String())
		}
	}
}

// inTest calls f with a test, which synctest needs. Benchmarks have none.
func inTest(b *testing.B, f func(t *testing.T)) {
	b.Helper()
	all := func(string, string) (bool, error) { return true, nil }
	if !testing.RunTests(all, []testing.InternalTest{{Name: "scenario", F: f}}) {
		b.Fatal("a scenario failed")
	}
}

func writeDocs(b *testing.B, results string) {
	b.Helper()
	docs, err := os.ReadFile(scaleDocs)
	if err != nil {
		b.Fatal(err)
	}
	before, rest, found := strings.Cut(string(docs), firstLine)
	_, after, foundEnd := strings.Cut(rest, lastLine)
	if !found || !foundEnd {
		b.Fatalf("%s has no lines %q and %q", scaleDocs, firstLine, lastLine)
	}
	if err := os.WriteFile(scaleDocs, []byte(before+firstLine+"\n"+results+"\n"+lastLine+after), 0o644); err != nil {
		b.Fatal(err)
	}
}

// TestDocs_ListScenarios checks that docs/scale.md has the results of each scenario.
func TestDocs_ListScenarios(t *testing.T) {
	docs, err := os.ReadFile(scaleDocs)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for i := range dueDays {
		names = append(names, dueDays[i].Name)
	}
	for i := range scenarios {
		names = append(names, scenarios[i].Name)
	}
	for _, name := range names {
		if !strings.Contains(string(docs), "\n| "+name+" |") {
			t.Errorf("docs/scale.md has no results of %q: run the benchmark with -update", name)
		}
	}
}
