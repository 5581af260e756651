package exchange

import (
	"fmt"
	"slices"

	"stockroom/store"
)

// totalHolder keeps the totals and quotas of all files in memory until the import has all
// rows that they count. The import then compares them with these rows. They are kept
// together, because several files can have totals of the same day. There are few totals and
// quotas: one total per kind, day and shard, and one quota per account rep and quarter.
type totalHolder struct {
	limit int // maximum number of totals and quotas
	batch *Batch
	files []int // indexes of the files that have totals or quotas
}

// withTotals adds the prefixes to the IDs in all sources. It removes the totals and
// quotas from the sources, and adds a source for them at the end.
func withTotals(sources []Source, prefixes idPrefixes, limit int) []Source {
	held := &totalHolder{limit: limit, batch: &Batch{consistent: true}}
	var files []int
	for i := range sources {
		s := &sources[i]
		if s.Batches = prefixes.apply(s.Batches); s.mayHaveTotals {
			s.Batches, s.held = held.hold(s.File, s.Batches), held
			files = append(files, s.Files()...)
		}
	}
	if len(files) == 0 {
		return sources
	}
	return append(sources, Source{File: files[0], others: files[1:], Batches: held.rest})
}

// hold returns the batches of a file without their totals and quotas, which it keeps for
// the end of the import.
func (h *totalHolder) hold(file int, batches Batches) Batches {
	return func(yield func(*Batch, error) bool) {
		for batch, err := range batches {
			if err == nil {
				if batch = h.remove(file, batch); len(h.batch.Entities) > h.limit {
					yield(nil, &FileError{File: "totals and quotas", Reason: fmt.Sprintf("the files have more than %d; leave out the file of totals, because the import computes them", h.limit)})
					return
				}
			}
			if !yield(batch, err) {
				return
			}
		}
	}
}

// remove returns the batch without its totals and quotas, which it keeps for the end of the
// import.
func (h *totalHolder) remove(file int, b *Batch) *Batch {
	rest := *b
	rest.Entities, rest.Rows = nil, nil
	for i, entity := range b.Entities {
		to := &rest
		switch entity.(type) {
		case *store.Total, *store.Quota:
			to = h.batch
			to.consistent, to.Exported = to.consistent && b.consistent, to.Exported || b.Exported
			if b.Rows[i].file == 0 {
				b.Rows[i].file = file + 1
			}
			if of := b.Rows[i].file - 1; !h.has(of) {
				h.files = append(h.files, of)
			}
		}
		to.Entities, to.Rows = append(to.Entities, entity), append(to.Rows, b.Rows[i])
	}
	return &rest
}

func (h *totalHolder) rest(yield func(*Batch, error) bool) {
	if len(h.batch.Entities) > 0 {
		yield(h.batch, nil)
	}
}

func (h *totalHolder) has(file int) bool { return slices.Contains(h.files, file) }
