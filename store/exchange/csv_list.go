package exchange

import (
	"strings"

	"stockroom/store/key"
)

// owner returns a text that identifies the entity to which a row belongs. A row in
// the list's file and the row in the entity's own file have the same text.
func (l *list) owner(keys key.Map) string {
	var b strings.Builder
	for _, c := range l.columns[:l.ownerColumns] {
		b.WriteString(keys[c.keyName])
		b.WriteByte(0)
	}
	return b.String()
}
