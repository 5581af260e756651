package store

import (
	"strconv"
	"strings"

	"stockroom/store/key"
)

// nameKey returns the folded name by which lists are sorted, or the ID if there
// is no name.
func nameKey(name, id string) string {
	if folded := key.Fold(name); folded != "" {
		return folded
	}
	return key.Fold(id)
}

// padded returns a quantity as text that sorts like the number.
func padded(quantity int) string {
	digits := strconv.Itoa(quantity)
	return strings.Repeat("0", max(0, 12-len(digits))) + digits
}
