package exchange

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/key"
)

// listRows is the file of a list, such as the payments of invoices.
type listRows struct {
	list   *list
	file   int                   // its index in the arguments of Open
	owners map[string]*ownerRows // rows by their entity; rows whose entity has not been read yet
}

// ownerRows are the rows that belong to one entity.
type ownerRows struct {
	elements []types.AttributeValue
	rows     []Row
	rejected *RejectedRow // nil, or the last rejected row
}

// readList reads the file of a list into memory. Its rejected rows come with
// the batches of the entities.
func (f *csvFile) readList(l *list, file int) (*listRows, error) {
	read := &listRows{l, file, map[string]*ownerRows{}}
	for {
		row, cells, reason, err := f.next()
		if err == io.EOF {
			return read, nil
		}
		if err != nil {
			return nil, err
		}
		var v rowValues
		if reason == "" {
			v, reason = f.parse(cells)
		}
		row.Entity, row.Table, row.file = l.file, l.file, file+1
		id := l.owner(v.keys)
		if read.owners[id] == nil {
			read.owners[id] = &ownerRows{}
		}
		owner := read.owners[id]
		if owner.rows = append(owner.rows, row); reason != "" {
			owner.rejected = &RejectedRow{row, reason}
			continue
		}
		owner.elements = append(owner.elements, &types.AttributeValueMemberM{Value: v.item})
	}
}

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

// ownerOf identifies an entity like owner.
func (l *list) ownerOf(entity store.Entity) string {
	var b strings.Builder
	for _, c := range l.columns[:l.ownerColumns] {
		b.WriteString(entity.KeyValue(c.keyName))
		b.WriteByte(0)
	}
	return b.String()
}

// attach adds the elements of the list to the item of a row.
func (l *listRows) attach(v rowValues, row *Row) (reason string) {
	owner := l.owners[l.list.owner(v.keys)]
	if owner == nil {
		return ""
	}
	if owner.rejected != nil {
		return fmt.Sprintf("Row %d of %s.csv belongs to this row and was rejected. Correct that row first.", owner.rejected.Number, l.list.file)
	}
	for _, element := range owner.rows {
		row.parts = append(row.parts, part{row: element})
	}
	setPath(v.item, l.list.path, &types.AttributeValueMemberL{Value: owner.elements})
	return ""
}

// rejectRest rejects the rows whose entity is not in its file, or was rejected.
func (l *listRows) rejectRest(s *sheet, out *batcher) {
	for _, id := range slices.Sorted(maps.Keys(l.owners)) {
		owner := l.owners[id]
		for _, row := range owner.rows {
			switch {
			case owner.rejected != nil && owner.rejected.Number == row.Number:
				out.reject(row, owner.rejected.Reason)
			case owner.rejected != nil:
				out.reject(row, fmt.Sprintf("This row belongs to the same record as row %d, which was rejected. Correct that row.", owner.rejected.Number))
			default:
				out.reject(row, fmt.Sprintf("This row belongs to a row of %s.csv that is missing or was rejected.", s.file))
			}
		}
	}
}
