// Package exchange imports and exports the business as files: models of NoSQL
// Workbench, DynamoDB JSON Lines, and CSV. It turns the rows of a file into
// entities and entities into rows; package store reads and writes the items.
package exchange

import (
	"fmt"
	"iter"

	"stockroom/store"
)

// Batches reads a file in parts. An error ends the sequence; the batches
// before it are valid.
type Batches = iter.Seq2[*Batch, error]

// batchRows is how many rows a batch of a large file has.
const batchRows = 10_000

// batchBytes limits a batch if its rows are large.
const batchBytes = 16 << 20

// Batch is a file, or a part of one. A batch has all rows of an order or none,
// because the total of an order needs all its lines. Only batches of files that
// this program exported may split an order.
type Batch struct {
	Entities []store.Entity
	Rows     []Row // the row of each entity
	Rejected []RejectedRow

	prepared   *store.Prepared // of the entities; may be nil
	employees  []string        // IDs of employees in later batches, who may be managers
	consistent bool            // of a whole export: references and sums are not checked

	// Exported reports whether this program wrote the entities. Entities with the
	// same person ID are then the same person.
	Exported bool
}

// Row is a row of a file.
type Row struct {
	File   int    // the index in the arguments of Open; set when the row is rejected
	Table  string // the table or facet, if the file names one
	Number int    // within the table, from 1
	Item   store.Item
	Entity string // entity type, or the file name of a list; "" if the item itself names it

	order      string     // the ID of the order that it is part of
	objection  string     // why the order does not add up; "" if it does
	computed   []string   // attributes that the row did not have
	source     *rowSource // of CSV
	file       int        // the file's index in the arguments of Open, plus 1; 0 for that of the source
	parts      []part     // other rows that became part of the same item
	made       bool       // an order that is not in the file and was created from its lines
	position   int        // within the file
	raw        []byte     // as JSON
	keys       keyNames   // of a model whose keys have other names
	csv        *csvFile   // with the cells of CSV; nil for JSON
	cells      []string
	correction *Correction // nil if the keys were right
}

// FileError reports a file that cannot be imported at all.
type FileError struct {
	File   string
	Line   int // from 1; 0 if the error is not about one line
	Reason string
}

func (e *FileError) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("%s, line %d: %s", e.File, e.Line, e.Reason)
	}
	return fmt.Sprintf("%s: %s", e.File, e.Reason)
}
