package exchange

import "stockroom/store"

// Correction is an item whose keys in the table differ from those in its file,
// because a prefix was missing or a date was mistyped there. Index keys are
// always computed and never listed.
type Correction struct {
	Table         string // or facet, of the file
	Number        int    // of the row, from 1
	Before, After string // partition key and sort key
}

// maxCorrections limits how many corrections an ImportResult lists.
const maxCorrections = 100

// correction compares the keys of the entity with those in the file. It
// returns nil if they are equal or the file has none.
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
