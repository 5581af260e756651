package views

import (
	"strings"
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// ImportRun is the page of an import: its files and the result of the dry run or the
// import. Its forms post to /dry-run, /cancel, /delete and /columns, below the path of the
// import.
type ImportRun struct {
	Page
	ID      string
	Names   string // names of the files
	Token   string
	Problem string // error of a form; "" if there is none

	Here     bool // the files are on this server
	Recorded bool // the import was started, so the table contains a record of it
	Mapped   bool // the files have a mapping
	Uploaded bool // the files were uploaded in the browser, not imported on the command line
	Hours    int  // how many hours files are kept
	Days     int  // how many days rejected rows are kept

	Files   []store.ImportFile
	Options []string
	Absent  []string // before the import: files in the mapping that were not uploaded

	Remembered []string // before the import: files with a remembered mapping

	DryRun    bool // the result is from a dry run, not from the import
	State     store.ImportState
	By        string
	Began     time.Time
	Ended     time.Time
	Counts    []store.ImportCounts
	Sum       store.ImportCounts
	Problems  []string
	CanImport bool // the dry run is complete and the import can start

	Progress *ImportProgress // progress of the import on this server; nil if it is not running
	Other    string          // ID of another import that runs on this server; "" for none

	First    []RejectedRow
	Rejected []RejectedFile

	Warned         int // number of rows with a warning, in a lenient import
	Warnings       []RejectedRow
	Corrected      int // number of rows whose stored key differs from the key in the file
	Corrections    []CorrectedKey
	Changed        ChangedValues // values that the import changes, or would change after a dry run
	Removed        ChangedValues // values that the import removes, or would remove after a dry run
	Made           int           // number of orders that were created from order items
	Categories     []NewCategory // categories that the import would add, after a dry run
	MoreCategories int           // number of further categories that Categories omits

	Prefix     ui.Input
	SamePeople ui.Input
	MergeLines ui.Input
	Lenient    ui.Input
	Update     ui.Input
}

// NewCategory is a category that an import would add.
type NewCategory struct {
	Name string
	Rows int // number of products in the files
}

// ImportProgress is the progress of a running import.
type ImportProgress struct {
	File  string
	Rows  int
	Total int // 0 if unknown
	Rate  int // rows per second
	Left  time.Duration
}

// RejectedRow is a row that was not imported, or a warning about a row that was imported.
type RejectedRow struct {
	File   string
	Row    int
	Reason string
}

// RejectedFile is a file of rejected rows.
type RejectedFile struct {
	Name  string
	Index int // index of the uploaded file
	Rows  int
	Full  int // number of rows that are missing because of the size limit of all these files
}

// CorrectedKey is a row whose stored key differs from the key in its file.
type CorrectedKey struct {
	Table         string // table or NoSQL Workbench facet in the file
	Number        int    // row number, from 1
	Before, After string // key in the file, and stored key
}

// ChangedValues contains the number of changed values, and the first of them.
type ChangedValues struct {
	Total int
	First []ChangedValue
}

// ChangedValue is a value of an existing record that an import changes or would change.
type ChangedValue struct {
	File          string // "" if the import has one file
	Row           int
	Record        string
	Attribute     string
	Before, After string
}

// StartImportParam is the parameter that makes the form with the options start the import.
// Without it, the form starts a dry run.
const StartImportParam = "start"

func (p *ImportRun) path(step string) string { return ImportPath(p.ID) + "/" + step }

// step returns the number of the current step of the import.
func (p *ImportRun) step() int {
	if p.Recorded || p.CanImport {
		return 4
	}
	return 3
}

// hasResult reports whether there are counts to show.
func (p *ImportRun) hasResult() bool { return p.Progress == nil && p.State != "" }

// finished reports whether the files were imported completely.
func (p *ImportRun) finished() bool { return p.Recorded && p.State == store.ImportDone }

// endedEarly reports whether the last run was stopped or cancelled before it had read all
// files.
func (p *ImportRun) endedEarly() bool {
	return p.State == store.ImportStopped || p.State == store.ImportCancelled
}

func (p *ImportRun) resultTitle() string {
	if p.DryRun {
		return "Dry run results"
	}
	return "Import results"
}

// allRejected reports whether the dry run rejected all rows, so that there is nothing to
// import.
func (p *ImportRun) allRejected() bool { return p.Sum.Rejected > 0 && p.Sum.Rejected == p.Sum.Read }

// changedTitle returns the title of the list of changed or removed values. Pass the word
// "changed" or "removed". For a dry run, the title begins with "Values to be".
func (p *ImportRun) changedTitle(changed string) string {
	if p.DryRun {
		return "Values to be " + changed
	}
	return capital(changed) + " values"
}

func (p *ImportRun) runName() string {
	if p.DryRun {
		return "Dry run"
	}
	return "Import"
}

// ended explains why the last run is incomplete. It returns "" for a complete run.
func (p *ImportRun) ended() string {
	kept := " Rows imported so far are kept. To import the remaining rows, import the files again. Rows that are already imported then count as unchanged."
	if p.Here {
		kept = " Rows imported so far are kept. To import the remaining rows, choose Continue import. Rows that are already imported then count as unchanged."
	}
	if p.DryRun {
		kept = " Nothing was changed. Start the dry run again."
	}
	switch p.State {
	case store.ImportInterrupted:
		return "The server stopped during this run." + kept
	case store.ImportCancelled:
		return "This run was cancelled." + kept
	case store.ImportStopped:
		if p.DryRun {
			return "The dry run stopped. Nothing was changed."
		}
		return "The import stopped." + kept
	}
	return ""
}

// rejectedRows returns the number of rejected rows of the files. A row counts once, even
// if a mapping turns it into several records. If the files of rejected rows are not
// known, it returns the number of rejected records instead.
func (p *ImportRun) rejectedRows() (rows int) {
	for _, f := range p.Rejected {
		rows += f.Rows + f.Full
	}
	if rows == 0 {
		return p.Sum.Rejected
	}
	return rows
}

// where says where the files and the rejected rows of the import are. It returns "" if
// they are on this server.
func (p *ImportRun) where() string {
	switch {
	case p.Here || len(p.Rejected) > 0:
		return ""
	case !p.Uploaded:
		return "This import was run on the command line. If rows were rejected, they are in the folder of the imported files."
	}
	text := "This server no longer has the files of this import. A server keeps the files for at most " + count(p.Hours, "hour", "hours") + " and the rejected rows for at most " +
		count(p.Days, "day", "days") + ". If Stockroom runs on several servers, only the server that received the files has them."
	if p.finished() {
		return text
	}
	return text + " Upload the files again to continue."
}

// otherCounts returns the entity of a row, and the counts for which small screens have no
// columns.
func otherCounts(entity string, c *store.ImportCounts, dryRun bool) string {
	parts := []string{entity}
	for _, n := range []struct {
		count int
		word  string
	}{{c.Read, "read"}, {c.Unchanged, "unchanged"}, {c.Updated, strings.ToLower(outcomeLabel("updated", dryRun))}, {c.Merged, strings.ToLower(outcomeLabel("merged", dryRun))}} {
		if n.count > 0 {
			parts = append(parts, number(n.count)+" "+n.word)
		}
	}
	return strings.TrimPrefix(strings.Join(parts, ", "), ", ")
}

func (p *ImportRun) prefix() ui.Field {
	return ui.Field{Name: "prefix", Label: "Prefix for IDs of people", Hint: "If customers and employees in the files were numbered separately, enter a prefix for the IDs of employees, such as emp-. Or enter several: employee=emp-,customer=c-,person=p-", Input: p.Prefix}
}

func (p *ImportRun) options() []ui.Field {
	return []ui.Field{
		{Name: "update", Label: "Change existing records that differ from the files", Hint: "The dry run shows each value before and after.", Input: p.Update},
		{Name: "merge-lines", Label: "Merge lines of an order with the same product and price", Input: p.MergeLines},
		{Name: "lenient", Label: "Also import rows that refer to unknown records, orders with wrong totals, and values that forms reject", Input: p.Lenient},
		{Name: "same-people", Label: "Merge people with the same ID even if one of them has no email address", Input: p.SamePeople},
	}
}

// left returns the remaining time as a sentence, or "" if it is unknown.
func (p *ImportProgress) left() string {
	switch {
	case p.Left <= 0:
		return ""
	case p.Left < time.Minute:
		return "About " + count(int(p.Left.Seconds()), "second", "seconds")
	}
	return "About " + count(int(p.Left.Round(time.Minute).Minutes()), "minute", "minutes")
}
