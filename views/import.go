package views

import (
	"strconv"

	"stockroom/views/ui"
)

// ImportPage is the form to import files and, once they are sent, its results.
// The form posts files, same-people, merge-lines, lenient and prefix to /data/import, and after a dry
// run the digest of its files and options as dry-run.
type ImportPage struct {
	Page
	Files      ui.Input
	SamePeople ui.Input
	MergeLines ui.Input
	Lenient    ui.Input
	Prefix     ui.Input
	Digest     string // of the files and options that were sent
	Done       bool   // the files were imported, not only checked
	Results    []ImportedRows
	Sum        RowCounts     // of Results
	Rejected   []RejectedRow // the first ones

	Warned   int           // number of rows that a lenient import lists
	Warnings []RejectedRow // the first ones

	Corrected   int            // number of rows stored under another key than in the file
	Corrections []CorrectedKey // the first ones
}

// ImportedRows is the result of importing the rows of an entity in a file.
type ImportedRows struct {
	File, Entity string
	RowCounts
}

// RowCounts counts the outcomes of rows. Read is the sum of the other counts.
type RowCounts struct{ Read, Added, Unchanged, Updated, Merged, Rejected int }

// CorrectedKey is a row that is stored under another key than in its file.
type CorrectedKey struct {
	Table         string // or facet, of the file
	Number        int    // of the row, from 1
	Before, After string // the key in the file and the stored one
}

func (c RowCounts) cells() []string {
	var cells []string
	for _, n := range []int{c.Read, c.Added, c.Unchanged, c.Updated, c.Merged, c.Rejected} {
		cells = append(cells, strconv.Itoa(n))
	}
	return cells
}

// RejectedRow is a row that was not imported.
type RejectedRow struct {
	File   string
	Row    int
	Reason string
}

func (p ImportPage) files() ui.Field {
	return ui.Field{Name: "files", Label: "Files", Input: p.Files}
}

func (p ImportPage) prefix() ui.Field {
	return ui.Field{Name: "prefix", Label: "Prefix for employee IDs", Hint: "For example, emp-, if the files number customers and employees separately. Several: employee=emp-,customer=c-,person=p-", Input: p.Prefix}
}

func (p ImportPage) samePeople() ui.Field {
	return ui.Field{Name: "same-people", Label: "Merge people with the same ID even if their emails differ", Input: p.SamePeople}
}

func (p ImportPage) mergeLines() ui.Field {
	return ui.Field{Name: "merge-lines", Label: "Merge lines of an order with the same product and price", Input: p.MergeLines}
}

func (p ImportPage) lenient() ui.Field {
	return ui.Field{Name: "lenient", Label: "Import rows that refer to unknown records and orders that do not add up", Input: p.Lenient}
}

// canImport reports whether the files passed a dry run.
func (p ImportPage) canImport() bool { return !p.Done && len(p.Results) > 0 && p.Files.Error == "" }
