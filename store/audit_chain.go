package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"iter"
	"slices"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// chains contains the hash chains of the events of a day: one chain for each hour and kind
// of event. See SealSlot.
type chains struct {
	byKind  map[SealKind]*[24]SealSlot
	expires time.Time // when TTL deletes the first sign-in or download of the day
}

// add appends the hash of an event to the chain of its hour. Add events in the order of
// their IDs.
func (c *chains) add(kind SealKind, when time.Time, hash string) {
	hours := c.byKind[kind]
	if hours == nil {
		hours = new([24]SealSlot)
		c.byKind[kind] = hours
	}
	hour := when.UTC().Hour()
	slot := &hours[hour]
	sum := sha256.Sum256([]byte(slot.Hash + hash))
	*slot = SealSlot{Kind: kind, Hour: hour, Count: slot.Count + 1, Hash: hex.EncodeToString(sum[:])}
}

// slots returns the slots that have events, sorted by kind and hour.
func (c *chains) slots() []SealSlot {
	var all []SealSlot
	for _, kind := range []SealKind{sealChanges, sealAccess, sealImports} {
		if hours := c.byKind[kind]; hours != nil {
			all = append(all, slices.DeleteFunc(slices.Clone(hours[:]), func(s SealSlot) bool { return s.Count == 0 })...)
		}
	}
	return all
}

// chainDay computes the chains of a day (UTC). It omits expired events, because TTL
// may delete them at any time.
func (s *Store) chainDay(ctx context.Context, k AuditKey, day time.Time) (*chains, error) {
	c := &chains{byKind: map[SealKind]*[24]SealSlot{}}
	for e, err := range s.eventsOfDay(ctx, day) {
		if err != nil {
			return nil, err
		}
		switch {
		case !e.Imported.IsZero(): // an imported event belongs to the chain of the day of its import
		case e.Expires.IsZero():
			c.add(sealChanges, e.When, k.hash(&e))
		case s.now().Before(e.Expires):
			if c.expires.IsZero() || e.Expires.Before(c.expires) {
				c.expires = e.Expires.UTC()
			}
			c.add(sealAccess, e.When, k.hash(&e))
		}
	}
	for e, err := range s.importedEvents(ctx, day) {
		if err != nil {
			return nil, err
		}
		c.add(sealImports, e.Imported, k.hash(&e))
	}
	return c, nil
}

// eventsOfDay yields the events of a day (UTC), in the order of their IDs.
func (s *Store) eventsOfDay(ctx context.Context, day time.Time) iter.Seq2[Event, error] {
	return s.dayOf(ctx, table.Query{Pattern: getEventsByDay, Values: key.Map{"day": day.Format(key.Day)}, Reverse: true})
}

// importedEvents yields the events that were imported on a day (UTC), in the order of
// their IDs.
func (s *Store) importedEvents(ctx context.Context, day time.Time) iter.Seq2[Event, error] {
	return s.dayOf(ctx, table.Query{Pattern: getImportedEvents, Values: key.Map{"day": day.Format(key.Day)}})
}

func (s *Store) dayOf(ctx context.Context, q table.Query) iter.Seq2[Event, error] {
	return Each(func(p Page) (List[Event], error) { return list(ctx, s, q, p, decodeAs[Event]) })
}

// sealsOf yields the seals of a range of days, oldest first.
func (s *Store) sealsOf(ctx context.Context, days DateRange) iter.Seq2[AuditSeal, error] {
	return func(yield func(AuditSeal, error) bool) {
		for year := days.From.Year(); year <= days.To.Year(); year++ {
			q := table.Query{Pattern: getAuditSeals, Values: key.Map{"year": time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC).Format("2006")}, Reverse: true}
			for seal, err := range Each(func(p Page) (List[AuditSeal], error) { return list(ctx, s, q, p, decodeAs[AuditSeal]) }) {
				if err == nil && (seal.Day.Before(days.From) || seal.Day.After(days.To)) {
					continue
				}
				if !yield(seal, err) || err != nil {
					return
				}
			}
		}
	}
}
