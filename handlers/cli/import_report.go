package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"stockroom/store"
	"stockroom/store/exchange"
)

// printFile prints the result of a file: counts, corrected keys, changed values and
// warnings. With -json, it prints nothing.
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
	for _, c := range result.NewCategories() {
		fmt.Fprintf(r.stdout, "  new category: %s (%s)\n", oneLine(c.Name), store.NumberOf(c.Rows, "row", "rows"))
	}
	if result.MoreCategories() {
		fmt.Fprintln(r.stdout, "  there can be more new categories than these")
	}
	for _, w := range result.Warnings {
		fmt.Fprintf(r.stdout, "  warning: %s, row %d: %s\n", r.label(w.File), w.Number, w.Reason)
	}
	for _, n := range []struct {
		label string
		count int
	}{
		{"more corrected keys", result.Corrected - len(result.Corrections)},
		{"more warnings", result.Warned - len(result.Warnings)},
		{"orders that are not in the files, created from their lines or invoices", result.Made},
		{"totals and quotas that a dry run can't compare", result.NotCompared},
		{"expired receipts with a new expiry date", result.Renewed},
	} {
		if n.count > 0 {
			fmt.Fprintf(r.stdout, "  %s: %d\n", n.label, n.count)
		}
	}
}

// printChanges prints the values that the import would change or remove in existing items,
// if this is a dry run. For an import, it prints only the number of removed values.
func (r *importRun) printChanges(result exchange.ImportResult) {
	if removed := result.Removed.Total; removed > 0 && r.dryRun {
		fmt.Fprintf(r.stdout, "  values that would be removed, because their cells are empty: %d\n", removed)
	} else if removed > 0 {
		fmt.Fprintf(r.stdout, "  values removed, because their cells are empty: %d\n", removed)
	}
	if !r.dryRun {
		return
	}
	printCells(r.stdout, result.Removed, "removed", "Row", "Item", "Attribute", "Removed value")
	printCells(r.stdout, result.Changed, "changed", "Row", "Item", "Attribute", "Before", "After")
}

// printCells prints the first changes as a table, and the number of further changes.
func printCells(to io.Writer, changes exchange.CellChanges, word string, headings ...string) {
	if changes.Total == 0 {
		return
	}
	printColumns(to, func(row func(...string)) {
		row(append([]string{"  " + headings[0]}, headings[1:]...)...)
		for _, c := range changes.First {
			cells := []string{fmt.Sprintf("  %d", c.Row), c.Entity, c.Column, oneLine(c.Before), oneLine(c.After)}
			row(cells[:len(headings)]...)
		}
	})
	if more := changes.Total - len(changes.First); more > 0 {
		fmt.Fprintf(to, "  more %s values: %d\n", word, more)
	}
}

// oneLine shortens text and puts it on one line, for a cell of a table.
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

// printReport prints the counts of all rows by file and entity, as a table or, with -json,
// as a JSON object that also contains the changed and removed values.
func (r *importRun) printReport() error {
	if r.json {
		type row struct {
			File   string `json:"file"`
			Entity string `json:"entity"`
			exchange.Counts
		}
		result := &r.work.Result
		report := struct {
			Files   []row        `json:"files"`
			Changed *jsonChanges `json:"changed,omitempty"`
			Removed *jsonChanges `json:"removed,omitempty"`

			NewCategories     []jsonCategory `json:"newCategories,omitempty"`
			MoreNewCategories bool           `json:"moreNewCategories,omitempty"` // there can be more than these
		}{Files: []row{}, Changed: r.jsonChanges(result.Changed), Removed: r.jsonChanges(result.Removed), MoreNewCategories: result.MoreCategories()}
		for _, c := range result.NewCategories() {
			report.NewCategories = append(report.NewCategories, jsonCategory(c))
		}
		for _, of := range result.Sequence() {
			report.Files = append(report.Files, row{r.label(of.File), of.Entity, *result.Counts[of]})
		}
		return json.NewEncoder(r.stdout).Encode(report)
	}
	for _, f := range r.work.Rejected.List() {
		if f.Full > 0 {
			fmt.Fprintf(r.stdout, "%s is full: %s not in it\n", r.imports[f.File].rejected.path, store.NumberOf(f.Full, "more rejected row is", "more rejected rows are"))
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

type jsonCategory struct {
	Name string `json:"name"`
	Rows int    `json:"rows"`
}

type jsonChanges struct {
	Total int              `json:"total"`
	First []jsonCellChange `json:"first"`
}

type jsonCellChange struct {
	File      string `json:"file"`
	Row       int    `json:"row"`
	Record    string `json:"record"`
	Attribute string `json:"attribute"`
	Before    string `json:"before"`
	After     string `json:"after"`
}

// jsonChanges returns the JSON form of the changes, or nil if there are none.
func (r *importRun) jsonChanges(changes exchange.CellChanges) *jsonChanges {
	if changes.Total == 0 {
		return nil
	}
	all := &jsonChanges{Total: changes.Total}
	for _, c := range changes.First {
		all.First = append(all.First, jsonCellChange{r.label(c.File), c.Row, c.Entity, c.Column, c.Before, c.After})
	}
	return all
}

func cellsOf(c exchange.Counts) []string {
	var cells []string
	for _, n := range []int{c.Read, c.Added, c.Unchanged, c.Updated, c.Merged, c.Rejected} {
		cells = append(cells, strconv.Itoa(n))
	}
	return cells
}
