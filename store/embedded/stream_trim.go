package embedded

import (
	"context"
	"slices"
	"time"
)

const (
	// recordLife is how long the records of streams are kept, as in DynamoDB.
	recordLife = 24 * time.Hour
	// maxTrimPerTx is the maximum number of records that one transaction removes.
	maxTrimPerTx = 500
)

// TrimStreams removes records that are older than 24 hours, at most as many as the argument
// limit. It also removes streams without such records that were disabled more than 24 hours
// ago. It returns how many records it removed. The store also calls TrimStreams in the
// background.
func (db *DB) TrimStreams(ctx context.Context, limit int) (int, error) {
	removed := 0
	for removed < limit && db.catalog.Load().hasStreams() {
		count := 0
		err := db.writeAlone(ctx, func(tx *writeTx) ([]mutation, error) {
			var mutations []mutation
			var err error
			mutations, count, err = tx.trim(min(limit-removed, maxTrimPerTx))
			return mutations, err
		})
		if err != nil {
			return removed, err
		}
		if removed += count; count == 0 {
			break
		}
	}
	return removed, nil
}

func (c *catalog) hasStreams() bool {
	for _, t := range c.tables {
		if len(t.streams) > 0 {
			return true
		}
	}
	return false
}

func (tx *writeTx) trim(limit int) (mutations []mutation, count int, err error) {
	oldest := tx.now.Add(-recordLife)
	for _, t := range tx.catalog.tables {
		for _, s := range t.streams {
			before := count
			if mutations, count, err = tx.trimStream(mutations, s, oldest, limit, count); err != nil {
				return nil, 0, err
			}
			if count == before && s.Disabled != nil && s.Disabled.Before(oldest) {
				if err := tx.dropStream(t.Name, s.ID); err != nil {
					return nil, 0, err
				}
			}
		}
	}
	return mutations, count, nil
}

// trimStream appends mutations that remove records older than oldest.
func (tx *writeTx) trimStream(mutations []mutation, s *tableStream, oldest time.Time, limit, count int) ([]mutation, int, error) {
	cursor, err := s.records.cursor(tx.bolt)
	if err != nil {
		return nil, 0, err
	}
	key, value, err := cursor.first()
	for err == nil && !atEnd(key) && count < limit {
		_, body, err := s.unsealRecord(key, value)
		if err != nil {
			return nil, 0, err
		}
		trimmed := len(body) == 0
		if !trimmed {
			record, err := parseRecord(body)
			if err != nil {
				return nil, 0, s.records.damaged(key, err.Error())
			}
			if !record.time.Before(oldest) {
				break
			}
		}
		m := mutation{space: s.records, key: slices.Clone(key)}
		if key, value, err = cursor.next(); err != nil {
			return nil, 0, err
		}
		if atEnd(key) { // keep the last record, which has the highest number
			if trimmed {
				break
			}
			m.value = s.records.seal(m.key, nil)
		}
		mutations = append(mutations, m)
		count++
	}
	return mutations, count, err
}

func (tx *writeTx) dropStream(table string, id uint32) error {
	t, err := tx.catalog.table(table)
	if err != nil {
		return err
	}
	d := t.definition
	d.Streams = slices.DeleteFunc(slices.Clone(d.Streams), func(s streamDefinition) bool { return s.ID == id })
	for _, s := range t.streams {
		if s.ID != id {
			continue
		}
		if err := tx.dropKeyspace(s.records); err != nil {
			return err
		}
	}
	_, err = tx.saveDefinition(d, t.names)
	return err
}

// dropStreams removes all streams. A restored store must have none: programs that had read
// the streams would not notice that the restore has undone changes.
func (db *DB) dropStreams(ctx context.Context) error {
	return db.writeAlone(ctx, func(tx *writeTx) ([]mutation, error) {
		for _, t := range tx.catalog.tables {
			for _, s := range t.streams {
				if err := tx.dropStream(t.Name, s.ID); err != nil {
					return nil, err
				}
			}
		}
		return nil, nil
	})
}
