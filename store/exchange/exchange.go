// Package exchange reads other people's files and makes entities of what is
// in them. A file's form (NoSQL Workbench models so far) gives rows; what a
// row is and what it lacks is found out here, the same for every form. The
// table itself is not this package's matter: store.Load puts entities there.
package exchange

import (
	"encoding/json"
	"fmt"
	"io"

	"stockroom/store"
)

// Import is what a file holds.
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

	raw json.RawMessage
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

// WriteRefused writes rows that were refused as JSON lines: file, table, row,
// reason and the item as it stood there, without card numbers.
func WriteRefused(w io.Writer, file string, refused []Refused) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	for _, r := range refused {
		err := out.Encode(struct {
			File   string          `json:"file"`
			Table  string          `json:"table"`
			Row    int             `json:"row"`
			Reason string          `json:"reason"`
			Item   json.RawMessage `json:"item"`
		}{file, r.Table, r.Number, r.Reason, json.RawMessage(store.LastFour(string(r.raw)))})
		if err != nil {
			return err
		}
	}
	return nil
}
