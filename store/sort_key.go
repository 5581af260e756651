package store

import (
	"strconv"
	"strings"

	"stockroom/store/key"
)

// nameKey returns the name as sort keys contain it (see key.Fold), or the ID if the name is
// empty.
func nameKey(name, id string) string {
	if folded := key.Fold(name); folded != "" {
		return folded
	}
	return key.Fold(id)
}

// padded returns a quantity as 12 digits, so that the strings sort like the quantities.
func padded(quantity int) string {
	digits := strconv.Itoa(quantity)
	return strings.Repeat("0", max(0, 12-len(digits))) + digits
}
