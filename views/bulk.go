package views

import "stockroom/views/ui"

// ExportPage chooses a file to download. Its form posts file and format to
// /data/export.
type ExportPage struct {
	Page
	Files        []string // without suffix
	File, Format ui.Input
}

// ImportPage sends files and shows what became of them, or would. Its form
// posts files, same-people and prefix to /data/import, and after a rehearsal
// the digest of what was rehearsed.
type ImportPage struct {
	Page
	Files      ui.Input
	SamePeople ui.Input
	Prefix     ui.Input
	Digest     string // of the files and choices that were sent
	Done       bool   // they were imported, not rehearsed
	Taken      []ImportedFile
	Refused    []RefusedRow // the first of all that were
}

// ImportedFile is what became of the rows of a file.
type ImportedFile struct {
	Name             string
	Counts           []EntityCount
	Present, Refused int
	Corrected        int            // rows that lie under other keys than their file has
	Corrections      []CorrectedKey // the first of them
}

// CorrectedKey is where a row of a file lies in the table.
type CorrectedKey struct {
	Table   string // or facet, of the file
	Number  int    // of the row, from 1
	Was, Is string // both keys
}

// corrected goes on with the sentence on the file.
func (f ImportedFile) corrected() string {
	if f.Corrected == 0 {
		return ""
	}
	return ", " + count(f.Corrected, "key", "keys") + " corrected"
}

// EntityCount is how many rows of an entity went in.
type EntityCount struct {
	Entity string
	Count  int
}

// RefusedRow is a row that did not go in, and why.
type RefusedRow struct {
	File   string
	Row    int
	Reason string
}

func (p ExportPage) fields() []ui.Field {
	return []ui.Field{
		{Name: "file", Label: "File", Hint: "What belongs to invoices and is a list has a file of its own as CSV; JSON lines hold it whole.", Input: p.File},
		{Name: "format", Label: "Form", Input: p.Format},
	}
}

func (p ExportPage) files() []ui.Option {
	options := make([]ui.Option, len(p.Files))
	for i, name := range p.Files {
		options[i] = ui.Option{Value: name, Text: name}
	}
	return options
}

func (p ImportPage) files() ui.Field {
	return ui.Field{Name: "files", Label: "Files", Input: p.Files}
}

func (p ImportPage) prefix() ui.Field {
	return ui.Field{Name: "prefix", Label: "Prefix for the IDs of people", Hint: "For files of a business that numbered customers and employees apart, such as emp-.", Input: p.Prefix}
}

func (p ImportPage) samePeople() ui.Field {
	return ui.Field{Name: "same-people", Label: "People of one ID are one person, even where no e-mail says so", Input: p.SamePeople}
}

// rehearsed says that the files may be imported now.
func (p ImportPage) rehearsed() bool { return !p.Done && len(p.Taken) > 0 && p.Files.Error == "" }
