package exchange

import "stockroom/store"

// Correction describes an item that is stored under other keys than in its file, for
// example because the file lacks a prefix or has a mistyped date. Index keys are not
// compared, because an import always computes them.
type Correction struct {
	Table         string // table or facet in the file
	Number        int    // row number, from 1
	Before, After string // keys in the file and in the table: partition key and sort key
}

// maxCorrections is the maximum number of corrections in an ImportResult.
const maxCorrections = 100

// correction returns a Correction if the keys of the entity differ from those in the file.
// Otherwise, or if the file has no keys, it returns nil.
func (r *parsedRow) correction() *Correction {
	if r.row.IsCSV() {
		return nil
	}
	original, err := parseItem(r.row.raw)
	if err != nil {
		return nil
	}
	encoded, reason := encode(r.entity)
	before, after := keysOf(original), keysOf(encoded)
	if reason != "" || text(original, "PK") == "" || before == after {
		return nil
	}
	return &Correction{Table: r.row.Table, Number: r.row.Number, Before: before, After: after}
}

func keysOf(item store.Item) string { return text(item, "PK") + " → " + text(item, "SK") }
