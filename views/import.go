package views

import (
	"strconv"
	"strings"
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// ImportsPath is the path of the page that lists imports and starts a new one.
const ImportsPath = "/data/import"

// ImportTemplatesPath is the path of the page of import templates.
const ImportTemplatesPath = ImportsPath + "/templates"

// ImportPath returns the path of the page of an import.
func ImportPath(id string) string { return ImportsPath + "/" + ui.Segment(id) }

// Imports is the page with the list of imports and the form to upload files. The form
// posts files and a token to ImportsPath.
type Imports struct {
	Page
	List
	Files    ui.Input
	Problems []string // problems of the submitted files
	Token    string
	Limits   ImportLimits
	Open     []OpenUpload // uploads on this server that were not imported yet
	Rows     []store.ImportRun
}

// ImportLimits contains the limits of uploads.
type ImportLimits struct {
	Files, Size, Unpacked int // maximum number of files, and maximum size of all files together in MB: as uploaded, and after decompression
	Lines                 int // maximum number of lines of all files together
	Hours                 int // how many hours files are kept
}

// OpenUpload is an upload that was not imported yet.
type OpenUpload struct {
	ID, Names, By string
	When          time.Time
	State         store.ImportState // state of its import; "" before the import
}

func (p *Imports) files() ui.Field {
	return ui.Field{Name: "files", Label: "Files", Input: p.Files}
}

// sentence describes the limits of uploads.
func (l ImportLimits) sentence() string {
	return "CSV files, DynamoDB JSON Lines, NoSQL Workbench models or AWS CLI output. The files can be gzipped. Add a mapping.yaml if you have one. At most " +
		count(l.Files, "file", "files") + ", together at most " + number(l.Size) + " MB, or " + number(l.Unpacked) + " MB and " + number(l.Lines) + " lines after decompression. For larger files, use the command line."
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
		return ui.Badge{Word: "Cancelled", Tone: ui.Ended}
	case store.ImportInterrupted:
		return ui.Badge{Word: "Interrupted", Tone: ui.Waiting}
	}
	return ui.Badge{Word: "Not started", Tone: ui.Neutral}
}

// countCells returns the counts as cells, in the order of the column headings.
func countCells(c *store.ImportCounts) (cells [6]string) {
	for i, n := range []int{c.Read, c.Added, c.Unchanged, c.Updated, c.Merged, c.Rejected} {
		cells[i] = number(n)
	}
	return cells
}

// ImportTemplates is the page with the header rows of all import files.
type ImportTemplates struct {
	Page
	Templates []ImportTemplate
}

// ImportTemplate is the header row of an import file.
type ImportTemplate struct {
	Name                                string // file name without .csv
	Required, Optional, Copied, LeftOut []string
}

func (t *ImportTemplate) path() string { return ImportTemplatesPath + "/" + ui.Segment(t.Name) }

func texts(all []string) string { return strings.Join(all, ", ") }

func rowText(n int) string { return strconv.Itoa(n) }
