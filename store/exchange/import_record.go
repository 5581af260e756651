package exchange

import "stockroom/store"

// Record returns the counts by file and entity, and their sum, for the stored record of
// an import. The function name returns the name of a file from its index in the
// arguments of Open.
func (r *ImportResult) Record(name func(file int) string) (counts []store.ImportCounts, sum store.ImportCounts) {
	for _, of := range r.Sequence() {
		counts = append(counts, r.Counts[of].record(name(of.File), of.Entity))
	}
	all := r.Sum()
	return counts, all.record("", "")
}

func (c *Counts) record(file, entity string) store.ImportCounts {
	return store.ImportCounts{
		File: file, Entity: entity, Read: c.Read, Added: c.Added, Unchanged: c.Unchanged, Updated: c.Updated, Merged: c.Merged, Rejected: c.Rejected,
	}
}
