package exchange

import (
	"context"
	"fmt"
	"slices"

	"stockroom/store"
	"stockroom/store/spill"
)

// uniqueValues finds out which record has a unique value, such as a SKU. An import of a
// few rows looks up each value in the table. A larger import reads the list of all
// records once, which needs fewer requests.
type uniqueValues struct {
	owners  *spill.Map      // from the digest of a value to the digest of its owner; see severalOwners
	listed  map[string]bool // names of unique values whose list was read
	lookups int             // values that were looked up
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

// claim records that an entity has its unique value. changed says that the entity may
// have had another one before.
func (k *Known) claim(entity store.Entity, changed bool) error {
	v, id, ok := store.UniqueValueOf(entity)
	if !ok {
		return nil
	}
	value, owner := k.hash(v.Name, v.Value), k.hash(v.Name, id)
	if err := k.owners().Set(value, owner); err != nil || !changed {
		return err
	}
	return k.owners().Set(^owner, value)
}

// hasLeft reports whether an earlier row of this import has given another value to the
// owner of a value.
func (k *Known) hasLeft(owner, value uint64) (bool, error) {
	now, found, err := k.owners().Get(^owner)
	return found && now != value, err
}

// uniqueRow is a row with a unique value.
type uniqueRow struct {
	n     int // index in the batch
	value store.UniqueValue
	id    string
}

// takenValues returns, for each row of a batch, a reason if another record has its
// unique value, or "".
func (i *importer) takenValues(ctx context.Context, b *Batch) (reasons []string, err error) {
	reasons = make([]string, len(b.Entities))
	first, own := map[store.UniqueValue]uniqueRow{}, map[uint64]store.UniqueValue{}
	var rows []uniqueRow
	for n, entity := range b.Entities {
		v, id, ok := store.UniqueValueOf(entity)
		if !ok {
			continue
		}
		row := uniqueRow{n, v, id}
		if earlier, found := first[v]; found && earlier.id != id {
			reasons[n] = takenReason(fmt.Sprintf("Row %d has the same %s.", b.Rows[earlier.n].Number, v.Name), v)
			continue
		} else if !found {
			first[v] = row
		}
		if i.Update {
			own[i.Known.hash(v.Name, id)] = v
		}
		rows = append(rows, row)
	}
	// With -update, a product can get the SKU that another row of the batch takes from
	// another product. Update checks this.
	isMoved := func(owner uint64, v store.UniqueValue) bool {
		next, found := own[owner]
		return found && next != v
	}
	unknown, err := i.takenByKnown(rows, reasons, isMoved)
	if err == nil && i.Known.unique.lookups+len(unknown) > maxLookups {
		if err = i.listValues(ctx, unknown); err == nil {
			unknown, err = i.takenByKnown(unknown, reasons, isMoved)
		}
		unknown = unknown[:min(len(unknown), maxLookups-i.Known.unique.lookups)] // of values that several records have
	}
	if err != nil {
		return nil, err
	}
	return reasons, i.takenByOthers(ctx, unknown, reasons, isMoved)
}

// takenByKnown sets the reasons of rows whose value belongs to a known record. It returns
// the rows for which this is unknown.
func (i *importer) takenByKnown(rows []uniqueRow, reasons []string, isMoved func(uint64, store.UniqueValue) bool) (unknown []uniqueRow, err error) {
	k := i.Known
	for _, row := range rows {
		v := row.value
		value, own := k.hash(v.Name, v.Value), k.hash(v.Name, row.id)
		owner, found, err := k.owners().Get(value)
		if err != nil {
			return nil, err
		}
		if !found && k.unique.listed[v.Name] || found && owner == own || found && isMoved(owner, v) {
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
		if !left {
			reasons[row.n] = takenReason(fmt.Sprintf("Another %s already has the %s %s.", v.Type(), v.Name, v.Value), v)
		}
	}
	return unknown, nil
}

// takenByOthers looks up the values of rows in the table, and sets the reasons of those
// that belong to other records.
func (i *importer) takenByOthers(ctx context.Context, rows []uniqueRow, reasons []string, isMoved func(uint64, store.UniqueValue) bool) error {
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
			if !left && !isMoved(owner, row.value) {
				reasons[row.n] = takenReason(fmt.Sprintf("%s %s already has the %s %s.", capitalize(row.value.Type()), id, row.value.Name, row.value.Value), row.value)
				break
			}
		}
	}
	return nil
}

// listValues reads the lists of all values with the names of the rows' values.
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
				return err // an earlier row of this import has changed it
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

func takenReason(reason string, v store.UniqueValue) string {
	return reason + " Enter another " + v.Name + orLenient
}
