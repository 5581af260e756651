package embedded

import (
	"context"
	"os"
	"testing"
)

// SetLoadLimits replaces maxLoadPages and minLoad until the test ends.
func SetLoadLimits(t *testing.T, pages int64, items int) {
	pagesBefore, itemsBefore := maxLoadPages, minLoad
	maxLoadPages, minLoad = pages, items
	t.Cleanup(func() { maxLoadPages, minLoad = pagesBefore, itemsBefore })
}

// SetRemoveAll replaces the function that removes the temporary folder of a compaction,
// until the test ends.
func SetRemoveAll(t *testing.T, remove func(folder string) error) {
	before := removeAll
	removeAll = remove
	t.Cleanup(func() { removeAll = before })
}

// SetLink replaces the function that creates hard links, until the test ends.
func SetLink(t *testing.T, replacement func(from, to string) error) {
	before := link
	link = replacement
	t.Cleanup(func() { link = before })
}

// HoldSnapshot calls a function while a snapshot is open.
func HoldSnapshot(db *DB, whileOpen func()) error {
	return db.view(context.Background(), func(*readTx) error {
		whileOpen()
		return nil
	})
}

// SetReopenAfter replaces reopenAfter, and returns the function that restores it. The store
// must be closed during both.
func SetReopenAfter(allocations int64) (restore func()) {
	before := reopenAfter
	reopenAfter = allocations
	return func() { reopenAfter = before }
}

// SetDuplicate replaces the function that duplicates the handle of a file, and returns the
// function that restores it. The store must be closed during both.
func SetDuplicate(replacement func(*os.File, int64) (*os.File, error)) (restore func()) {
	before := duplicate
	duplicate = replacement
	return func() { duplicate = before }
}
