package exchange

import (
	"strings"

	"stockroom/store/key"
)

// owner returns a text that identifies the entity of a row. The rows of a list and
// the row of their entity have the same text.
func (l *list) owner(keys key.Map) string {
	var b strings.Builder
	for _, c := range l.columns[:l.ownerColumns] {
		b.WriteString(keys[c.keyName])
		b.WriteByte(0)
	}
	return b.String()
}
