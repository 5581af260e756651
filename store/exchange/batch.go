package exchange

import "stockroom/store"

// batcher collects rows into batches.
type batcher struct {
	yield    func(*Batch, error) bool
	batch    *Batch
	exported bool

	consistent bool // see Batch
	stopped    bool // the caller has stopped reading batches
}

func (b *batcher) current() *Batch {
	if b.batch == nil {
		b.batch = &Batch{Exported: b.exported, consistent: b.consistent}
	}
	return b.batch
}

func (b *batcher) add(e store.Entity, row Row) {
	batch := b.current()
	batch.Entities, batch.Rows = append(batch.Entities, e), append(batch.Rows, row)
	b.flushIfFull()
}

func (b *batcher) reject(row Row, reason string) {
	batch := b.current()
	batch.Rejected = append(batch.Rejected, RejectedRow{row, reason})
	b.flushIfFull()
}

// addAll adds rows that must stay in one batch.
func (b *batcher) addAll(built *Batch) {
	batch := b.current()
	batch.Entities, batch.Rows = append(batch.Entities, built.Entities...), append(batch.Rows, built.Rows...)
	batch.Rejected = append(batch.Rejected, built.Rejected...)
	b.flushIfFull()
}

func (b *batcher) flushIfFull() {
	if len(b.batch.Entities)+len(b.batch.Rejected) >= batchRows {
		b.flush()
	}
}

func (b *batcher) flush() {
	if b.batch != nil && !b.stopped {
		b.stopped = !b.yield(b.batch, nil)
	}
	b.batch = nil
}
