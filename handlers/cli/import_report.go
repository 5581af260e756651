package cli

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"stockroom/store/exchange"
)

// printFile prints the counts of a file and its corrected keys.
func (r *importRun) printFile(label string, result exchange.ImportResult) {
	if r.json {
		return
	}
	would, sum := "", result.Sum()
	if r.dryRun {
		would = "would be "
	}
	changed := fmt.Sprintf("%d %sadded", sum.Added, would)
	if r.update {
		changed += fmt.Sprintf(", %d %supdated", sum.Updated, would)
	}
	if sum.Added+sum.Updated == 0 && !r.dryRun {
		changed = "nothing changed"
	}
	fmt.Fprintf(r.stdout, "%s: %s, %d unchanged, %d rejected\n", label, changed, sum.Unchanged, sum.Rejected)
	for _, x := range result.Corrections {
		fmt.Fprintf(r.stdout, "  key corrected: %s, row %d: %s is now %s\n", x.Table, x.Number, x.Before, x.After)
	}
	r.printChanges(result)
	for _, w := range result.Warnings {
		fmt.Fprintf(r.stdout, "  warning: %s, row %d: %s\n", r.label(w.File), w.Number, w.Reason)
	}
	for _, n := range []struct {
		label string
		count int
	}{
		{"more corrected keys", result.Corrected - len(result.Corrections)},
		{"more warnings", result.Warned - len(result.Warnings)},
		{"orders that were not in the file and were created from their lines", result.Made},
		{"totals and quotas that a dry run can't compare", result.NotCompared},
		{"expired receipts that got a new expiry date", result.Renewed},
	} {
		if n.count > 0 {
			fmt.Fprintf(r.stdout, "  %s: %d\n", n.label, n.count)
		}
	}
}

// printChanges prints the changes that a dry run would make to existing items.
func (r *importRun) printChanges(result exchange.ImportResult) {
	if !r.dryRun || result.ChangedCells == 0 {
		return
	}
	printColumns(r.stdout, func(row func(...string)) {
		row("  Row", "Item", "Attribute", "Before", "After")
		for _, c := range result.Changes {
			row(fmt.Sprintf("  %d", c.Row), c.Entity, c.Column, oneLine(c.Before), oneLine(c.After))
		}
	})
	if more := result.ChangedCells - len(result.Changes); more > 0 {
		fmt.Fprintf(r.stdout, "  more changed values: %d\n", more)
	}
}

// oneLine shortens a text to a single line for a table.
func oneLine(text string) string {
	const length = 60
	runes := []rune(strings.Join(strings.Fields(text), " "))
	switch {
	case len(runes) == 0:
		return "–"
	case len(runes) > length:
		return string(runes[:length]) + "…"
	}
	return string(runes)
}

// printReport prints the counts of all rows by file and entity: as a table, or as a JSON
// object with -json.
func (r *importRun) printReport() error {
	if r.json {
		type row struct {
			File   string `json:"file"`
			Entity string `json:"entity"`
			exchange.Counts
		}
		report := struct {
			Files []row `json:"files"`
		}{[]row{}}
		for _, of := range r.work.Result.Sequence() {
			report.Files = append(report.Files, row{r.label(of.File), of.Entity, *r.work.Result.Counts[of]})
		}
		return json.NewEncoder(r.stdout).Encode(report)
	}
	for _, f := range r.work.Rejected.List() {
		if f.Full > 0 {
			fmt.Fprintf(r.stdout, "%s is full: %d more rejected rows are not in it\n", r.imports[f.File].rejected.path, f.Full)
		}
	}
	if len(r.work.Result.Counts) == 0 {
		return nil
	}
	fmt.Fprintln(r.stdout)
	printColumns(r.stdout, func(row func(...string)) {
		row("File", "Entity", "Read", "Added", "Unchanged", "Updated", "Merged", "Rejected")
		for _, of := range r.work.Result.Sequence() {
			row(append([]string{r.label(of.File), of.Entity}, cellsOf(*r.work.Result.Counts[of])...)...)
		}
		if len(r.work.Result.Counts) > 1 {
			row(append([]string{"All", ""}, cellsOf(r.work.Result.Sum())...)...)
		}
	})
	return nil
}

func cellsOf(c exchange.Counts) []string {
	var cells []string
	for _, n := range []int{c.Read, c.Added, c.Unchanged, c.Updated, c.Merged, c.Rejected} {
		cells = append(cells, strconv.Itoa(n))
	}
	return cells
}
