package exchange

import "stockroom/store"

// Correction is an item whose keys in the table are others than in its file:
// a prefix was missing there, a date was mistyped, or nothing told it apart
// from another item. Keys of indexes are always made anew and are none.
type Correction struct {
	Table   string // or facet, of the file
	Number  int    // the row's place there, from 1
	Was, Is string // the partition key and the sort key
}

// mostCorrections is how many are listed: a file of another design may hold
// nothing else.
const mostCorrections = 100

// corrected compares the keys of an entity with those that its row has in the
// file. nil where they are the same, or where the file says none.
func (f *found) corrected() *Correction {
	if f.row.cells != nil {
		return nil
	}
	said, err := item(f.row.raw)
	if err != nil {
		return nil
	}
	written, reason := writable(f.entity)
	was, is := bothKeys(said), bothKeys(written)
	if reason != "" || text(said, "PK") == "" || was == is {
		return nil
	}
	return &Correction{Table: f.row.Table, Number: f.row.Number, Was: was, Is: is}
}

func bothKeys(item store.Item) string { return text(item, "PK") + " → " + text(item, "SK") }
