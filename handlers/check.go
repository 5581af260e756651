package handlers

import (
	"stockroom/store"
	"stockroom/views"
)

// FindingPages returns the paths of the pages of the records that a finding
// concerns.
func FindingPages(f store.CheckFinding) []string { return views.FindingPages(f) }
