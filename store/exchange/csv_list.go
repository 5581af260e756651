package exchange

import (
	"strings"

	"stockroom/store/key"
)

// owner identifies the entity that a row of the list, or of the entity's own
// file, is about.
func (l *list) owner(keys key.Map) string {
	var b strings.Builder
	for _, c := range l.columns[:l.ownerColumns] {
		b.WriteString(keys[c.keyName])
		b.WriteByte(0)
	}
	return b.String()
}
