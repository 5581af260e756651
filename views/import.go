package views

import (
	"stockroom/views/ui"
)

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
