package exchange

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/csvfile"
)

// exportPage contains the rows of one page of items.
type exportPage struct {
	rows    []exportRow
	events  []store.Entity // events, stock moves and shipments, if Since is set
	damaged damagedItems
}

// exportRow is a row to export. Rows are sorted by key.
type exportRow struct {
	key, text string

	// inclusion says whether to export the row. If this depends on events, history is the
	// key of the partition with these events.
	inclusion inclusion
	history   string
}

// fields returns the fields of the row for the sorter, the key first.
func (r *exportRow) fields() []string {
	return []string{r.key, r.text, string(rune(r.inclusion)), r.history}
}

func exportRowOf(fields []string) exportRow {
	return exportRow{fields[0], fields[1], inclusion(fields[2][0]), fields[3]}
}

// format adds the rows of an item to the page. It decodes the item and encodes its entity
// again, so that exports contain only known attributes, and never a complete card number.
func (e *exporter) format(p *exportPage, item store.Item) error {
	s, entity, err := e.decode(p, item)
	if err != nil || s == nil {
		return err
	}
	included, history := e.changes.decide(entity)
	if included == excluded {
		return nil
	}
	if e.Mask != nil {
		if isOfUser(entity) {
			return nil
		}
		if entity, err = e.Mask.mask(entity, e.Shards); err != nil {
			return err
		}
	}
	if item, err = store.Encode(entity, e.Shards); err != nil {
		return err
	}
	resetVersion(item)
	keys := text(item, "PK") + "\x00" + text(item, "SK")
	add := func(file, suffix string, text []byte) {
		key := string(rune(slices.Index(e.Files, file))) + keys + suffix
		p.rows = append(p.rows, exportRow{key, string(text), included, history})
	}
	switch e.Format {
	case FormatModel:
		add(s.file, "", appendItem(nil, item))
		return nil
	case FormatLines, FormatDynamoDB:
		add(s.file, "", appendLine(nil, item))
		return nil
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
	return nil
}

// isOfUser reports whether an entity belongs to a user. Masked exports omit saved
// views and events of users, because no export contains users.
func isOfUser(entity store.Entity) bool {
	switch e := entity.(type) {
	case *store.SavedView:
		return e.Owner != ""
	case *store.Event:
		return strings.HasPrefix(e.Partition, "user#")
	}
	return false
}

// decode returns the entity of an item, and its sheet. The sheet is nil if the item is
// internal or not part of the export. If e.Since is set, decode adds events, stock moves
// and shipments to the page's events, even if they are not exported, because they show
// which other records have changed.
func (e *exporter) decode(p *exportPage, item store.Item) (*sheet, store.Entity, error) {
	entityType := text(item, "EntityType")
	s, found := sheetOf(entityType)
	wanted := found && e.wants(s)
	decides := !e.Since.IsZero() && slices.Contains([]string{kindEvent, kindStockMove, kindShipment, kindShipmentItem}, entityType)
	if !found && isInternal(entityType) || found && !wanted && !decides {
		return nil, nil, nil
	}
	entity, err := store.Decode(item)
	if err != nil {
		return nil, nil, err
	}
	if event, ok := entity.(*store.Event); ok {
		if event.What.StaysInTable() {
			return nil, nil, nil // the record is internal, such as the record of an import
		}
		entity = event.ForExport()
	}
	if decides {
		p.events = append(p.events, entity)
	}
	if !wanted {
		return nil, nil, nil
	}
	return s, entity, nil
}

func (e *exporter) has(file string) bool { return slices.Contains(e.Files, file) }

func (e *exporter) wants(s *sheet) bool {
	return e.has(s.file) || slices.ContainsFunc(s.lists, func(l list) bool { return e.has(l.file) })
}

// resetVersion sets the Version of an item to 1, as imports do. The Version counts changes
// in one table.
func resetVersion(item store.Item) {
	if item["Version"] != nil {
		item["Version"] = &types.AttributeValueMemberN{Value: "1"}
	}
}
