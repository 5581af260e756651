package embedded

import "testing"

const MaxLoadPages = maxLoadPages

// SetRemoveAll replaces the function that removes the temporary folder of a compaction,
// until the test ends.
func SetRemoveAll(t *testing.T, remove func(folder string) error) {
	before := removeAll
	removeAll = remove
	t.Cleanup(func() { removeAll = before })
}
