// Package exchange imports and exports the records of the business as files. The
// formats are NoSQL Workbench models, DynamoDB JSON Lines and CSV. The package
// converts between rows and entities. Package store reads and writes the items.
package exchange

import (
	"fmt"
	"iter"

	"stockroom/store"
)

// Batches yields the parts of a file. If it ends with an error, the earlier batches
// are valid.
type Batches = iter.Seq2[*Batch, error]

// batchRows is the number of rows in a batch of a large file. Three batches are in
// memory at once: one is read, one is encoded and one is written. With larger batches,
// the garbage collector runs more often, because the memory of an import is limited.
const batchRows = 2_500

// batchBytes limits the size of a batch with large rows.
const batchBytes = 16 << 20

// Batch is a file or a part of one. A batch contains either all rows of an order or
// none, because computing the total of an order needs all its lines. Only files
// exported by this program may have an order in several batches.
type Batch struct {
	Entities []store.Entity
	Rows     []Row // the rows of Entities, in the same order
	Rejected []RejectedRow

	prepared   *store.Prepared // the encoded entities; may be nil
	employees  []string        // IDs of employees in later batches, because managers may be among them
	consistent bool            // part of a complete export, whose references and sums need no check

	// Exported reports whether this program wrote the entities. Records with the same
	// person ID then belong to the same person.
	Exported bool
}

// Row is a row of a file.
type Row struct {
	File   int    // index of the file in the arguments of Open; set if the row is rejected
	Table  string // table or facet, in formats that have them
	Number int    // row number within the table, from 1
	Item   store.Item
	Entity string // entity type, or the file name of a list; "" if the item itself names it

	order      string     // ID of the order to which the row belongs
	objection  string     // why the sums of the order are wrong; "" if they are right
	computed   []string   // attributes that were computed
	source     *rowSource // nil unless the row comes from CSV
	file       int        // index of the file in the arguments of Open, plus 1; 0 means the file of the source
	parts      []part     // other rows that became part of the same item
	made       bool       // an order that was assembled from its lines
	position   int        // position within the file
	raw        []byte     // as JSON
	keys       keyNames   // names of the keys, if the model uses other names
	csv        *csvFile   // file of the cells; nil for JSON
	cells      []string
	correction *Correction // nil if the keys were correct
}

// FileError is the reason why a whole file cannot be imported.
type FileError struct {
	File   string
	Line   int // line number from 1; 0 if the error is not about a line
	Reason string
}

func (e *FileError) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("%s, line %d: %s", e.File, e.Line, e.Reason)
	}
	return fmt.Sprintf("%s: %s", e.File, e.Reason)
}
