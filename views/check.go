package views

import (
	"slices"

	"stockroom/store"
)

// FindingPages returns the paths of the pages of the records that a finding
// concerns, for an admin.
func FindingPages(f store.CheckFinding) []string {
	var paths []string
	for _, partition := range f.About {
		if path := RecordPath(&store.User{Role: store.Admin}, partition); !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	return paths
}
