package store

import (
	"context"
	"slices"

	"stockroom/store/table"
)

// Prepared contains entities that are encoded for the engine's bulk loader.
type Prepared struct {
	entities []Entity
	shards   int
	rows     []loadRow // rows without item and words, because parts contains these in encoded form
	parts    []bulkPart
	others   []otherRecord // other records of the people in rows
}

// maxPrepared is the maximum number of items in a Prepared. All of them are in memory.
const maxPrepared = 3 * bulkChunk

// Prepare encodes entities for Load, so that an import can encode entities while it writes
// earlier entities. Do not change the entities between Prepare and Load. Prepare returns
// nil if Load must encode the entities, for example because an entity changes totals.
func (s *Store) Prepare(ctx context.Context, entities []Entity) (*Prepared, error) {
	if !s.table.CanBulkLoad() || slices.ContainsFunc(entities, isCounted) {
		return nil, nil
	}
	settings, err := s.Settings(ctx)
	if err != nil {
		return nil, err
	}
	p := &Prepared{entities: slices.Clone(entities), shards: settings.Shards, rows: make([]loadRow, 0, len(entities))}
	seen := make(map[string]bool, len(entities))
	items, part := 0, bulkPart{}
	itemsOfPart := 0
	var buffer table.ItemBuffer // reused for every row, because the engine encodes each item immediately
	var words wordBuffers
	for i, e := range entities {
		if eventReason(e) != "" {
			return nil, nil
		}
		row := loadRow{index: i, entity: e, words: searchWords(e)}
		if err := row.encodeInto(&buffer, p.shards); err != nil || seen[row.place] {
			return nil, nil
		}
		seen[row.place] = true
		if items += row.items(); items > maxPrepared {
			return nil, nil
		}
		itemsOfPart += row.items()
		if part.load == nil {
			part = bulkPart{load: s.table.StartLoad(), rows: make([]loadRow, 0, len(entities)-i)}
		}
		if err := part.add(row, &words); err != nil || part.load.Bytes() > bulkBytes {
			return nil, nil
		}
		row.item, row.words = nil, nil
		part.rows[len(part.rows)-1] = row
		p.rows = append(p.rows, row)
		if itemsOfPart >= bulkChunk || part.load.Full() || i == len(entities)-1 {
			part.load.Sort()
			p.parts, part, itemsOfPart = append(p.parts, part), bulkPart{}, 0
		}
	}
	p.others = otherRecords(p.rows)
	return p, ctx.Err()
}

// fits reports whether p contains these entities, encoded for this number of shards.
func (p *Prepared) fits(entities []Entity, shards int) bool {
	return p != nil && p.shards == shards && slices.Equal(p.entities, entities)
}

// loadPrepared inserts prepared entities. If an entity has the ID of a different person,
// it inserts nothing and returns false.
func (l *loader) loadPrepared(ctx context.Context, p *Prepared) (done bool, err error) {
	reasons, err := l.otherPeople(ctx, p.rows, p.others)
	if err != nil || slices.ContainsFunc(reasons, func(reason string) bool { return reason != "" }) {
		return false, err
	}
	for i := range p.parts {
		if err := l.commitBulk(ctx, &p.parts[i]); err != nil {
			return true, err
		}
	}
	return true, nil
}
