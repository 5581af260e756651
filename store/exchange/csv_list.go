package exchange

import (
	"strings"

	"stockroom/store/key"
)

// owner returns a string that identifies the entity to which a row belongs. The string is
// the same for the row of the entity and for the rows of its lists.
func (l *list) owner(keys key.Map) string {
	var b strings.Builder
	for _, c := range l.columns[:l.ownerColumns] {
		b.WriteString(keys[c.keyName])
		b.WriteByte(0)
	}
	return b.String()
}
