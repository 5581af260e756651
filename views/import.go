package views

import (
	"strconv"
	"strings"
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// ImportsPath is the page to start an import, with the list of imports.
const ImportsPath = "/data/import"

// ImportTemplatesPath is the page of templates.
const ImportTemplatesPath = ImportsPath + "/templates"

// ImportPath returns the page of an import.
func ImportPath(id string) string { return ImportsPath + "/" + ui.Segment(id) }

// Imports is the form to upload files, and the list of imports. The form posts files
// and a token to ImportsPath.
type Imports struct {
	Page
	List
	Files    ui.Input
	Problems []string // of the files that were sent
	Token    string
	Limits   ImportLimits
	Open     []OpenUpload // that wait for their import on this server
	Rows     []store.ImportRun
}

// ImportLimits are the limits of uploads, which the page names.
type ImportLimits struct {
	Files, Size, Unpacked int // files, and MB of all files together
	Hours                 int // that files are kept
}

// OpenUpload is an upload that waits for its import.
type OpenUpload struct {
	ID, Names, By string
	When          time.Time
	State         store.ImportState // of its import; "" if it waits
}

func (p *Imports) files() ui.Field {
	return ui.Field{Name: "files", Label: "Files", Input: p.Files}
}

// limits names the limits of an upload.
func (l ImportLimits) sentence() string {
	return "CSV files, DynamoDB JSON Lines, output of the AWS CLI or NoSQL Workbench models, gzipped or not, and a mapping.yaml if you have one. At most " +
		count(l.Files, "file", "files") + ", together " + number(l.Size) + " MB and " + number(l.Unpacked) + " MB after decompression. Larger files: use the command line."
}

func importBadge(s store.ImportState) ui.Badge {
	switch s {
	case store.ImportRunning:
		return ui.Badge{Word: "Running", Tone: ui.Moving}
	case store.ImportDone:
		return ui.Badge{Word: "Done", Tone: ui.Good}
	case store.ImportStopped:
		return ui.Badge{Word: "Stopped", Tone: ui.Wrong}
	case store.ImportCancelled:
		return ui.Badge{Word: "Cancelled", Tone: ui.Waiting}
	case store.ImportInterrupted:
		return ui.Badge{Word: "Interrupted", Tone: ui.Waiting}
	}
	return ui.Badge{Word: "Not started", Tone: ui.Neutral}
}

// countCells returns the cells of counts in the sequence of the headings.
func countCells(c *store.ImportCounts) (cells [6]string) {
	for i, n := range []int{c.Read, c.Added, c.Unchanged, c.Updated, c.Merged, c.Rejected} {
		cells[i] = number(n)
	}
	return cells
}

// ImportTemplates lists the header rows of all files.
type ImportTemplates struct {
	Page
	Templates []ImportTemplate
}

// ImportTemplate is the header row of a file.
type ImportTemplate struct {
	Name                                string // without .csv
	Required, Optional, Copied, LeftOut []string
}

func (t *ImportTemplate) path() string { return ImportTemplatesPath + "/" + ui.Segment(t.Name) }

func texts(all []string) string { return strings.Join(all, ", ") }

func rowText(n int) string { return strconv.Itoa(n) }
