// Package exchange reads other people's files and makes entities of what is
// in them. A file's form (NoSQL Workbench models so far) gives rows; what a
// row is and what it lacks is found out here, the same for every form. The
// table itself is not this package's matter: store.Load puts entities there.
package exchange

import (
	"fmt"

	"stockroom/store"
)

// Import is what a file holds. An order stands in it whole, its parts next
// to one another, or not at all: a total without one of its lines would be
// wrong for good.
type Import struct {
	Entities []store.Entity
	Rows     []Row // where each entity came from, by the same index
	Refused  []Refused
}

// Row is an item as it stands in a file.
type Row struct {
	Table  string // the name of its table or facet
	Number int    // its place there, from 1
	Item   store.Item

	place int    // among all rows of the file
	raw   []byte // its JSON
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
