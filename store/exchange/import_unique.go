package exchange

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"stockroom/store"
	"stockroom/store/spill"
)

// uniqueValues contains which record owns which unique value, such as an SKU. An import of
// a few rows looks up each value in the table. A larger import reads the list of all values
// once, which needs fewer requests.
type uniqueValues struct {
	owners  *spill.Map      // owner of each value (see severalOwners), and new value of each updated record; keys and values are digests
	listed  map[string]bool // names of unique values, such as SKU, whose list was read
	lookups int             // number of values that were looked up
}

// maxLookups is the maximum number of values that an import looks up one by one.
const maxLookups = 200

// severalOwners stands for the owner of a value that several records have.
const severalOwners = 0

func (u *uniqueValues) close() error {
	if u.owners == nil {
		return nil
	}
	return u.owners.Close()
}

func (k *Known) owners() *spill.Map {
	if k.unique.owners == nil {
		k.unique.owners = spill.NewMap(k.folder, knownInMemory)
	}
	return k.unique.owners
}

// claim records an entity, which is now in the table, as the owner of its unique value.
func (k *Known) claim(entity store.Entity) error {
	v, id, ok := store.UniqueValueOf(entity)
	if !ok || v.Value == "" {
		return nil
	}
	return k.owners().Set(k.hash(v.Name, v.Value), k.hash(v.Name, id))
}

// claimUpdated records that an updated entity now has the unique value in its row, and no
// longer its previous value.
func (k *Known) claimUpdated(entity store.Entity, row *Row) error {
	v, id, ok := store.UniqueValueOf(entity)
	if !ok || !row.source.hasUnique(v) {
		return nil
	}
	return errors.Join(k.claim(entity), k.owners().Set(^k.hash(v.Name, id), k.hash(v.Name, v.Value)))
}

// hasUnique reports whether the file has the column of a unique value.
func (s *rowSource) hasUnique(v store.UniqueValue) bool { return s.has(v.Column()) }

// inOrder returns the rows of a batch in groups, as indexes. A row that takes a unique
// value from a record in the batch is in a later group than the row of that record. Rows
// that exchange their values are in the last group.
func (k *Known) inOrder(b *Batch) (groups [][]int) {
	rowOf := map[uint64]int{}
	for n, entity := range b.Entities {
		if v, id, ok := store.UniqueValueOf(entity); ok {
			rowOf[k.hash(v.Name, id)] = n
		}
	}
	const unknown, visiting = 0, -1
	depths := make([]int, len(b.Rows)) // number of each row's group, from 1; or unknown or visiting
	var depth func(n int) int
	depth = func(n int) int {
		switch depths[n] {
		case visiting:
			return len(b.Rows)
		case unknown:
			depths[n] = visiting
			deepest := 1
			for _, owner := range b.Rows[n].owners {
				if of, found := rowOf[owner]; found {
					deepest = max(deepest, min(depth(of)+1, len(b.Rows)))
				}
			}
			depths[n] = deepest
		}
		return depths[n]
	}
	at := map[int][]int{}
	for n := range b.Rows {
		d := depth(n)
		at[d] = append(at[d], n)
	}
	for _, d := range slices.Sorted(maps.Keys(at)) {
		groups = append(groups, at[d])
	}
	return groups
}

// stillTaken returns a reason to reject a row that takes a unique value which its previous
// owner still has, or "". Call it after the update of the owner.
func (k *Known) stillTaken(entity store.Entity, row *Row) (reason string, err error) {
	v, _, _ := store.UniqueValueOf(entity)
	for _, owner := range row.owners {
		if left, err := k.hasLeft(owner, k.hash(v.Name, v.Value)); err != nil || !left {
			return takenByAnother(v), err
		}
	}
	return "", nil
}

// hasLeft reports whether a record no longer has a value, because an earlier row of
// this import has replaced the value with another one. The arguments owner and value
// are digests.
func (k *Known) hasLeft(owner, value uint64) (bool, error) {
	now, found, err := k.owners().Get(^owner)
	return found && now != value, err
}

type uniqueRow struct {
	n     int // index in the batch
	value store.UniqueValue
	id    string
}

// takenValues returns, for each row of a batch, a reason to reject the row because another
// record has its unique value, or "".
func (i *importer) takenValues(ctx context.Context, b *Batch) (reasons []string, err error) {
	reasons = make([]string, len(b.Entities))
	first, own := map[store.UniqueValue]uniqueRow{}, map[uint64]store.UniqueValue{}
	var rows []uniqueRow
	for n, entity := range b.Entities {
		v, id, ok := store.UniqueValueOf(entity)
		if !ok || !b.Rows[n].source.hasUnique(v) {
			continue
		}
		if i.Update {
			own[i.Known.hash(v.Name, id)] = v
		}
		if v.Value == "" {
			continue
		}
		row := uniqueRow{n, v, id}
		if earlier, found := first[v]; found && earlier.id != id {
			reasons[n] = takenReason(fmt.Sprintf("Row %d has the same %s.", b.Rows[earlier.n].Number, v.Name), v)
			continue
		} else if !found {
			first[v] = row
		}
		rows = append(rows, row)
	}
	// In an update, a product can get an SKU if another row of the batch changes the SKU of
	// the product that has it.
	isMoved := func(owner uint64, v store.UniqueValue) bool {
		next, found := own[owner]
		return found && next != v
	}
	unknown, err := i.takenByKnown(b, rows, reasons, isMoved)
	if err == nil && i.Known.unique.lookups+len(unknown) > maxLookups {
		if err = i.listValues(ctx, unknown); err == nil {
			unknown, err = i.takenByKnown(b, unknown, reasons, isMoved)
		}
		// Now only values with several owners are unknown. Those beyond maxLookups are not
		// checked.
		unknown = unknown[:min(len(unknown), maxLookups-i.Known.unique.lookups)]
	}
	if err != nil {
		return nil, err
	}
	return reasons, i.takenByOthers(ctx, b, unknown, reasons, isMoved)
}

// takenByKnown sets the reasons of rows whose value has another owner. If that owner gives
// up the value, takenByKnown adds the owner to the row instead. It returns the rows whose
// value has an unknown owner.
func (i *importer) takenByKnown(b *Batch, rows []uniqueRow, reasons []string, isMoved func(uint64, store.UniqueValue) bool) (unknown []uniqueRow, err error) {
	k := i.Known
	for _, row := range rows {
		v := row.value
		value, own := k.hash(v.Name, v.Value), k.hash(v.Name, row.id)
		owner, found, err := k.owners().Get(value)
		if err != nil {
			return nil, err
		}
		if !found && k.unique.listed[v.Name] || found && owner == own {
			continue
		}
		if !found || owner == severalOwners {
			unknown = append(unknown, row)
			continue
		}
		left, err := k.hasLeft(owner, value)
		if err != nil {
			return nil, err
		}
		if left || isMoved(owner, v) {
			b.Rows[row.n].owners = append(b.Rows[row.n].owners, owner)
		} else {
			reasons[row.n] = takenByAnother(v)
		}
	}
	return unknown, nil
}

// takenByOthers looks up the owners of the rows' values in the table. It sets the reasons
// of rows whose value has another owner.
func (i *importer) takenByOthers(ctx context.Context, b *Batch, rows []uniqueRow, reasons []string, isMoved func(uint64, store.UniqueValue) bool) error {
	if len(rows) == 0 {
		return nil
	}
	k := i.Known
	k.unique.lookups += len(rows)
	values := make([]store.UniqueValue, len(rows))
	for n := range rows {
		values[n] = rows[n].value
	}
	owners, err := i.target.OwnersOf(ctx, values)
	if err != nil {
		return err
	}
	for n, row := range rows {
		if slices.Contains(owners[n], row.id) {
			continue
		}
		for _, id := range owners[n] {
			owner := k.hash(row.value.Name, id)
			left, err := k.hasLeft(owner, k.hash(row.value.Name, row.value.Value))
			if err != nil {
				return err
			}
			if left || isMoved(owner, row.value) {
				b.Rows[row.n].owners = append(b.Rows[row.n].owners, owner)
			} else {
				reasons[row.n] = takenReason(fmt.Sprintf("%s %s already has the %s %s.", capitalize(row.value.Type()), id, row.value.Name, row.value.Value), row.value)
				break
			}
		}
	}
	return nil
}

// listValues reads, for the unique values of the rows, such as SKU, the list of all values
// in the table with their owners.
func (i *importer) listValues(ctx context.Context, rows []uniqueRow) error {
	k := i.Known
	for _, row := range rows {
		name := row.value.Name
		if k.unique.listed[name] {
			continue
		}
		err := i.target.EachUniqueValue(ctx, name, func(v store.UniqueValue, id string) error {
			value, owner := k.hash(v.Name, v.Value), k.hash(v.Name, id)
			if left, err := k.hasLeft(owner, value); err != nil || left {
				return err // the owner in the list is out of date, because an earlier row of this import has changed its value
			}
			if other, found, err := k.owners().Get(value); err != nil {
				return err
			} else if found && other != owner {
				owner = severalOwners
			}
			return k.owners().Set(value, owner)
		})
		if err != nil {
			return err
		}
		if k.unique.listed == nil {
			k.unique.listed = map[string]bool{}
		}
		k.unique.listed[name] = true
	}
	return nil
}

func takenByAnother(v store.UniqueValue) string {
	return takenReason(fmt.Sprintf("Another %s already has the %s %s.", v.Type(), v.Name, v.Value), v)
}

func takenReason(reason string, v store.UniqueValue) string {
	return reason + " Enter another " + v.Name + orLenient
}
