// Package exchange is how the business goes in and out of files. It makes
// entities of the rows of a file, whether a model of NoSQL Workbench,
// DynamoDB's JSON lines or CSV, and writes entities as each of them. Where
// items lie, and how they get there, is package store's matter.
package exchange

import (
	"encoding/json"
	"fmt"
	"iter"

	"stockroom/store"
)

// Portions is a file that is read bit by bit. An error ends it: what came
// before it stands.
type Portions = iter.Seq2[*Import, error]

// portionRows is how many rows come at once of a file that may have millions.
const portionRows = 10_000

// Import is what a file holds, or a portion of it. Of a model, an order stands in it whole, its parts next
// to one another, or not at all: a total without one of its lines would be
// wrong for good.
type Import struct {
	Entities []store.Entity
	Rows     []Row // where each entity came from, by the same index
	Refused  []Refused

	// Ours says that the entities were written by this program. Then they are
	// counted in totals that come with them, and people who share an ID are one.
	Ours bool
}

// Row is an item as it stands in a file.
type Row struct {
	Table  string // the name of its table or facet
	Number int    // its place there, from 1
	Item   store.Item

	place int             // among all rows of the file
	raw   []byte          // its JSON
	cells func() []string // of CSV, name after value
	moved *Correction     // nil where its keys are as they were
}

// json is the row as it stood in its file.
func (r *Row) json() []byte {
	if r.cells == nil {
		return r.raw
	}
	cells := r.cells()
	said := map[string]string{}
	for i := 0; i+1 < len(cells); i += 2 {
		said[cells[i]] = cells[i+1]
	}
	raw, _ := json.Marshal(said) // texts can always be written
	return raw
}

// Refused is a row that cannot be placed, and why.
type Refused struct {
	Row
	Reason string
}

// Refuse notes that the entity of an index was not taken after all.
func (i *Import) Refuse(index int, reason string) {
	i.Refused = append(i.Refused, Refused{i.Rows[index], reason})
}

// FileError says what is wrong with a file as a whole: nothing of it is taken.
type FileError struct {
	File   string
	Line   int // from 1; 0 where it concerns no line
	Reason string
}

// Error implements error.
func (e *FileError) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("%s, line %d: %s", e.File, e.Line, e.Reason)
	}
	return fmt.Sprintf("%s: %s", e.File, e.Reason)
}
