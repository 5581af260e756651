package store

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"golang.org/x/sync/errgroup"

	"stockroom/store/table"
)

// Loaded says what became of entities that were loaded.
type Loaded struct {
	Written map[string]int // by entity type
	Present int            // were there already, just the same
	Renewed int            // receipts whose time was over and that are kept for another life
	Refused []RefusedEntity
}

// RefusedEntity is an entity that was not loaded, by its place in what was
// given to Load, and why not.
type RefusedEntity struct {
	Index  int
	Reason string
}

// Loading is how Load goes about it.
type Loading struct {
	Rehearse   bool           // say what would happen and write nothing
	Counted    bool           // what is loaded stands in the totals already, which are loaded too
	SamePeople bool           // people of one ID are one person, even where no e-mail says so
	Progress   func(done int) // called now and then; may be nil
}

// How a load is cut up. Writers that run side by side share the engine's
// work: the embedded store commits what waits at once, DynamoDB takes
// requests for different partitions in parallel.
const (
	loadChunk   = table.MaxActions
	loadWriters = 16
)

// Load puts entities into the table, each where nothing lies yet. What is
// there already and just the same is left alone, so loading twice changes
// nothing; what is there and differs is refused, because somebody may have
// changed it since. Entities that belong to one partition and follow one
// another are written in one transaction, as far as one transaction goes.
func (s *Store) Load(ctx context.Context, entities []Entity, how Loading) (Loaded, error) {
	settings, err := s.Settings(ctx)
	if err != nil {
		return Loaded{}, err
	}
	l := loader{store: s, how: how, settings: settings, result: Loaded{Written: map[string]int{}}}
	l.counts = !how.Counted && !slices.ContainsFunc(entities, func(e Entity) bool { return e.EntityType() == (*Total)(nil).EntityType() })
	rows, err := l.withoutStrangers(ctx, l.encode(entities, settings.Shards))
	if err != nil {
		return l.result, err
	}
	if s.table.CanBulkLoad() && !how.Rehearse && !l.countsAny(rows) {
		err = l.loadAll(ctx, rows)
	} else {
		group, ctx := errgroup.WithContext(ctx)
		group.SetLimit(loadWriters)
		for _, chunk := range chunks(rows, loadChunk) {
			group.Go(func() error { return l.load(ctx, chunk) })
		}
		err = group.Wait()
	}
	slices.SortFunc(l.result.Refused, func(a, b RefusedEntity) int { return a.Index - b.Index })
	return l.result, err
}

// loadRow is an entity on its way into the table.
type loadRow struct {
	index  int
	entity Entity
	item   Item

	renewed bool // its end is a new one, and no part of what the file says
}

func (r loadRow) key() Item     { return table.KeyOf(r.item) }
func (r loadRow) place() string { return table.KeyString(r.item) }

type loader struct {
	store    *Store
	how      Loading
	settings Settings
	counts   bool // subscriptions count in the totals; a load that brings totals has counted them

	mu     sync.Mutex
	done   int
	result Loaded
}

// encode makes the items, and refuses what has no key or stands twice.
func (l *loader) encode(entities []Entity, shards int) []loadRow {
	rows := make([]loadRow, 0, len(entities))
	first := make(map[string]Item, len(entities))
	for i, e := range entities {
		e, renewed := l.renew(e)
		item, err := Encode(e, shards)
		if err != nil {
			l.refuse(i, err.Error())
			continue
		}
		if _, versioned := item[table.AttrVersion].(*types.AttributeValueMemberN); versioned {
			item[table.AttrVersion] = &types.AttributeValueMemberN{Value: "1"}
		}
		row := loadRow{i, e, item, renewed}
		if other, twice := first[row.place()]; twice {
			if differs := difference(item, other); differs != "" {
				l.refuse(i, fmt.Sprintf("%s stands twice, with another %s.", named(e, item), differs))
			}
			continue
		}
		first[row.place()] = item
		rows = append(rows, row)
	}
	return rows
}

// chunks cuts rows into runs of at most so many, between partitions where it
// can.
func chunks(rows []loadRow, size int) [][]loadRow {
	var cut [][]loadRow
	for len(rows) > size {
		end := size
		for end > 1 && table.TextOf(rows[end].item, table.AttrPK) == table.TextOf(rows[end-1].item, table.AttrPK) {
			end--
		}
		if end == 1 {
			end = size
		}
		cut = append(cut, rows[:end])
		rows = rows[end:]
	}
	if len(rows) > 0 {
		cut = append(cut, rows)
	}
	return cut
}

// load writes one chunk. Where somebody else writes the same at the same
// time, it looks once more at what is there.
func (l *loader) load(ctx context.Context, rows []loadRow) error {
	for attempt := 0; ; attempt++ {
		present, err := l.present(ctx, rows)
		if err != nil {
			return err
		}
		var fresh []loadRow
		for _, row := range rows {
			if present[row.place()] == nil {
				fresh = append(fresh, row)
			}
		}
		err = l.write(ctx, fresh)
		if KindOf(err) == Conflict && attempt < 3 {
			continue
		}
		if err == nil {
			l.note(rows, present)
		}
		return err
	}
}

// present returns the items that exist under the keys of the rows.
func (l *loader) present(ctx context.Context, rows []loadRow) (map[string]Item, error) {
	keys := make([]Item, len(rows))
	for i, row := range rows {
		keys[i] = row.key()
	}
	return l.store.table.GetKeys(ctx, keys)
}

func (l *loader) write(ctx context.Context, rows []loadRow) error {
	if len(rows) == 0 || l.how.Rehearse {
		return nil
	}
	c := l.store.newChange(l.settings)
	for _, row := range rows {
		if subscription, ok := row.entity.(*Subscription); ok && l.counts {
			c.expect(nil, subscription)
		}
		c.CreateItem(row.item)
	}
	if half := len(rows) / 2; half > 0 && c.Len()+len(c.totals.totals) > table.MaxActions {
		if err := l.write(ctx, rows[:half]); err != nil {
			return err
		}
		return l.write(ctx, rows[half:])
	}
	return c.Commit(ctx)
}

// renew gives a receipt whose time is over another life from now on: it was
// loaded to be seen.
func (l *loader) renew(e Entity) (Entity, bool) {
	receipt, ok := e.(*Receipt)
	if !ok {
		return e, false
	}
	renewed := *receipt
	if renewed.Expires.IsZero() {
		renewed.Expires = l.settings.receiptEnd(renewed.ProcessedDate)
	}
	if renewed.Expires.After(l.store.now()) {
		return &renewed, false
	}
	renewed.Expires = l.settings.receiptEnd(l.store.now())
	return &renewed, true
}

func (l *loader) note(rows []loadRow, present map[string]Item) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, row := range rows {
		there := present[row.place()]
		differs := difference(row.item, there)
		if row.renewed && differs == table.AttrTTL {
			differs = ""
		}
		switch {
		case there == nil:
			l.result.Written[row.entity.EntityType()]++
			if row.renewed {
				l.result.Renewed++
			}
		case differs == "":
			l.result.Present++
		default:
			l.result.Refused = append(l.result.Refused, RefusedEntity{
				row.index,
				fmt.Sprintf("%s is in the table already, with another %s; it was left as it is.", named(row.entity, row.item), differs),
			})
		}
	}
	l.done += len(rows)
	if l.how.Progress != nil {
		l.how.Progress(l.done)
	}
}

func (l *loader) refuse(index int, reason string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.result.Refused = append(l.result.Refused, RefusedEntity{index, reason})
}

// difference names the attributes in which two items differ, the version
// apart: it counts changes and is no part of what an item says.
func difference(a, b Item) string {
	var names []string
	for name, value := range a {
		if name != table.AttrVersion && !counts(a, name) && !reflect.DeepEqual(value, b[name]) {
			names = append(names, name)
		}
	}
	for name := range b {
		if _, both := a[name]; !both {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// counts says that an attribute is what the program counted of other items:
// what a store's kayaks add up to is no part of what a file says of the store.
func counts(item Item, name string) bool {
	return table.TextOf(item, table.AttrType) == (*RentalStore)(nil).EntityType() && (name == attrIn || name == attrOut || name == attrRepair)
}

// named is how a person would recognise an entity in a refusal.
func named(e Entity, item Item) string {
	place := table.TextOf(item, table.AttrPK) + " / " + table.TextOf(item, table.AttrSK)
	if name := table.TextOf(item, "Name"); name != "" {
		place += " (" + name + ")"
	}
	return "The " + e.EntityType() + " " + place
}
