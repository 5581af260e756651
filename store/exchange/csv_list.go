package exchange

import (
	"strings"

	"stockroom/store/key"
)

// owner identifies the entity to which a row belongs, whether the row is in the file
// of the list or in the entity's own file.
func (l *list) owner(keys key.Map) string {
	var b strings.Builder
	for _, c := range l.columns[:l.ownerColumns] {
		b.WriteString(keys[c.keyName])
		b.WriteByte(0)
	}
	return b.String()
}
