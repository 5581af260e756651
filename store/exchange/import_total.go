package exchange

import "stockroom/store"

// totalHolder keeps the totals and quotas of all files until the rows that they
// count are imported. Their number is small: one per kind, day and shard, and one
// per account rep and quarter.
type totalHolder struct {
	files map[int]*Batch // by the index of the file
}

// hold returns the batches of a file without their totals and quotas.
func (h *totalHolder) hold(file int, batches Batches) Batches {
	return func(yield func(*Batch, error) bool) {
		for batch, err := range batches {
			if err == nil {
				batch = h.remove(file, batch)
			}
			if !yield(batch, err) {
				return
			}
		}
	}
}

// remove returns the batch without its totals and quotas, which it holds back.
func (h *totalHolder) remove(file int, b *Batch) *Batch {
	rest := &Batch{Rejected: b.Rejected, Exported: b.Exported}
	for i, entity := range b.Entities {
		to := rest
		switch entity.(type) {
		case *store.Total, *store.Quota:
			if to = h.files[file]; to == nil {
				to = &Batch{Exported: b.Exported}
				h.files[file] = to
			}
		}
		to.Entities, to.Rows = append(to.Entities, entity), append(to.Rows, b.Rows[i])
	}
	return rest
}

// rest returns the totals and quotas of a file, in one batch: the totals of a day
// are compared together.
func (h *totalHolder) rest(file int) Batches {
	return func(yield func(*Batch, error) bool) {
		if b := h.files[file]; b != nil {
			yield(b, nil)
		}
	}
}

// has reports whether totals or quotas of a file are held back.
func (h *totalHolder) has(file int) bool { return h.files[file] != nil }
