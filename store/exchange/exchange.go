// Package exchange imports and exports the records of the business as files. The
// formats are NoSQL Workbench models, DynamoDB JSON Lines and CSV. The package
// converts between rows and entities. Package store reads and writes the items.
package exchange

import (
	"fmt"
	"iter"

	"stockroom/store"
)

// Batches yields the batches of a file. It ends after the first error. The batches before
// the error are valid.
type Batches = iter.Seq2[*Batch, error]

// batchRows is the number of rows in a batch of a large file. Three batches are in memory
// at once: one is being read, one encoded and one written. With larger batches, less of the
// limited memory would be free, and the garbage collector would run more often.
const batchRows = 2_500

// batchBytes is the size at which a batch is full, however few rows it has.
const batchBytes = 16 << 20

// Batch contains all or some of the rows of a file. The rows of an order are in one batch,
// because the total of an order depends on all its lines. Only batches of files that
// Stockroom exported may divide an order.
type Batch struct {
	Entities []store.Entity
	Rows     []Row // the row of each entity, in the same order
	Rejected []RejectedRow

	prepared   *store.Prepared // the encoded entities; nil if they are not encoded yet
	employees  []string        // IDs of employees in later batches, to whom these entities may refer
	consistent bool            // the rows are from a complete export, so references and sums need no check

	// Exported means that Stockroom wrote the file. Records with the same person ID then
	// belong to the same person.
	Exported bool
}

// Row is a row of a file.
type Row struct {
	File   int    // index of the file in the arguments of Open; set if the row is rejected
	Table  string // table or facet, in formats that have them
	Number int    // row number within the table or file, from 1; the header of a CSV file is row 1
	Item   store.Item
	Entity string // entity type, or file name of a list; "" if only the item contains the entity type

	id         string     // ID in the first column of the entity; set only for rejected rows of CSV files that are not parts of orders
	order      string     // ID of the order to which the row belongs
	objection  string     // why the order's sums are wrong; "" if they are right
	owners     []uint64   // digests of the records that must first give up this row's unique value; see uniqueValues
	computed   []string   // names of attributes that the import computed
	source     *rowSource // set only for rows of CSV files
	file       int        // index of the file in the arguments of Open, plus 1; 0 for the file of the source
	parts      []part     // rows that became part of this row's item
	made       bool       // the import created the order of this row from its lines
	position   int        // row number in the file
	raw        []byte     // the row as JSON
	keys       keyNames   // names of the key attributes in the model
	csv        *csvFile   // file of the cells; nil for JSON
	cells      []string
	correction *Correction // nil if the keys are correct
}

// FileError explains why a whole file cannot be imported.
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
