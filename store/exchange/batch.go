package exchange

import "stockroom/store"

// batcher collects rows into batches.
type batcher struct {
	yield    func(*Batch, error) bool
	batch    *Batch
	bytes    int // bytes of the rows so far; see Row.bytes
	expected int // number of rows in the previous batch; memory for as many is allocated at once
	exported bool

	consistent bool // see Batch
	stopped    bool // the caller has stopped reading batches
}

func (b *batcher) current() *Batch {
	if b.batch == nil {
		b.batch = &Batch{
			Entities:   make([]store.Entity, 0, b.expected),
			Rows:       make([]Row, 0, b.expected),
			Exported:   b.exported,
			consistent: b.consistent,
		}
	}
	return b.batch
}

func (b *batcher) add(e store.Entity, row Row) {
	batch := b.current()
	batch.Entities, batch.Rows = append(batch.Entities, e), append(batch.Rows, row)
	b.bytes += row.bytes()
	b.flushIfFull()
}

func (b *batcher) reject(row Row, reason string) {
	batch := b.current()
	batch.Rejected = append(batch.Rejected, RejectedRow{row, reason})
	b.bytes += row.bytes()
	b.flushIfFull()
}

// addAll adds rows that must be in the same batch.
func (b *batcher) addAll(built *Batch) {
	batch := b.current()
	batch.Entities, batch.Rows = append(batch.Entities, built.Entities...), append(batch.Rows, built.Rows...)
	batch.Rejected = append(batch.Rejected, built.Rejected...)
	for i := range built.Rows {
		b.bytes += built.Rows[i].bytes()
	}
	for i := range built.Rejected {
		b.bytes += built.Rejected[i].bytes()
	}
	b.flushIfFull()
}

func (b *batcher) flushIfFull() {
	if len(b.batch.Entities)+len(b.batch.Rejected) >= batchRows || b.bytes >= batchBytes {
		b.flush()
	}
}

func (b *batcher) flush() {
	if b.batch != nil && !b.stopped {
		b.expected = len(b.batch.Rows)
		b.stopped = !b.yield(b.batch, nil)
	}
	b.batch, b.bytes = nil, 0
}

// partBytes is the estimated memory of a row that became part of another row, in bytes,
// without its text.
const partBytes = 1 << 10

// bytes returns the estimated memory of the row's text, in bytes. It includes the rows that
// became part of this row.
func (r *Row) bytes() int {
	n := len(r.raw)
	for _, cell := range r.cells {
		n += len(cell)
	}
	for i := range r.parts {
		n += partBytes + r.parts[i].row.bytes()
	}
	return n
}
