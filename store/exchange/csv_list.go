package exchange

import (
	"strings"

	"stockroom/store/key"
)

// owner returns a text that identifies the entity to which a row belongs. A row of a
// list returns the same text as the row of its entity.
func (l *list) owner(keys key.Map) string {
	var b strings.Builder
	for _, c := range l.columns[:l.ownerColumns] {
		b.WriteString(keys[c.keyName])
		b.WriteByte(0)
	}
	return b.String()
}
