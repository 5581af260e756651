package embedded

import "testing"

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
