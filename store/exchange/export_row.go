package exchange

import (
	"fmt"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/csvfile"
)

// format returns the rows of an item.
func (e *exporter) format(item store.Item) ([]sortedRow, error) {
	s, entity, item, err := e.exported(item)
	if err != nil || s == nil {
		return nil, err
	}
	keys := text(item, "PK") + "\x00" + text(item, "SK")
	var rows []sortedRow
	add := func(file, suffix string, text []byte) {
		key := string(rune(slices.Index(e.Files, file))) + keys + suffix
		rows = append(rows, sortedRow{key: key, text: text})
	}
	switch e.Format {
	case FormatModel:
		add(s.file, "", appendItem(nil, item))
		return rows, nil
	case FormatLines, FormatDynamoDB:
		add(s.file, "", appendLine(nil, item))
		return rows, nil
	}
	if e.has(s.file) {
		add(s.file, "", csvfile.AppendRecord(nil, record(s.columns, entity, item)))
	}
	for i := range s.lists {
		l := &s.lists[i]
		if !e.has(l.file) {
			continue
		}
		for n, element := range elementsAt(item, l.path) {
			add(l.file, fmt.Sprintf("\x00%06d", n), csvfile.AppendRecord(nil, record(l.columns, entity, element)))
		}
	}
	return rows, nil
}

func (e *exporter) has(file string) bool { return slices.Contains(e.Files, file) }

func (e *exporter) wants(s *sheet) bool {
	return e.has(s.file) || slices.ContainsFunc(s.lists, func(l list) bool { return e.has(l.file) })
}

// exported decodes an item and encodes it again, so that an export has only
// what entities show, and never a whole card number. It returns a nil sheet if
// the item is not wanted or is internal.
func (e *exporter) exported(item store.Item) (*sheet, store.Entity, store.Item, error) {
	entityType := text(item, "EntityType")
	s, found := sheetOf(entityType)
	if !found && isInternal(entityType) || found && !e.wants(s) {
		return nil, nil, nil, nil
	}
	entity, err := store.Decode(item)
	if err != nil {
		return nil, nil, nil, err
	}
	if item, err = store.Encode(entity, e.Shards); err != nil {
		return nil, nil, nil, err
	}
	resetVersion(item)
	return s, entity, item, nil
}

// resetVersion sets the Version of an item to 1, as an import does. It counts
// the changes in one table, which are not part of the data.
func resetVersion(item store.Item) {
	if item["Version"] != nil {
		item["Version"] = &types.AttributeValueMemberN{Value: "1"}
	}
}
