package store

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// MaxKayaks is the maximum number of kayaks in one form, so that the changes of all of them
// fit into a transaction. A transaction can have 100 actions:
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
const MaxKayaks = 20

// rentalActions is the number of items that a check-out, an extension or a check-in writes for
// each kayak: the kayak, its active rental, its rental and the event.
const rentalActions = 4

// maxDaysOut is the maximum number of days until a due day. It detects typing errors.
const maxDaysOut = 365

// Names of form fields.
const (
	fieldKayaks = "kayaks"
	fieldPerson = "person"
	fieldDue    = "due"

	// FieldRate is the name of the hidden field with the sum of the daily rates that the
	// form showed.
	FieldRate = "rate"

	// FieldShown is the name of a hidden field, which can repeat. Its values are the
	// Identity of the rentals that the form showed.
	FieldShown = "shown"
)

// requireRentals returns Forbidden without the permission RunRentals, and NotFound if
// the user does not manage the store.
func (a Access) requireRentals(storeID string) error {
	if err := a.require(RunRentals); err != nil {
		return err
	}
	return a.requireStore(storeID)
}

// changeKayaks makes a change of kayaks, and retries it on Conflict. It does nothing if the
// form was already applied: the first kayak then has an event with the form token. Without
// this check, a check-out form that is submitted again after the check-in would check out
// the kayaks again.
func (a Access) changeKayaks(ctx context.Context, ids []string, token string, change func() error) error {
	if applied, err := a.store.alreadyApplied(ctx, kayakPartition(ids[0]), token); applied || err != nil {
		return err
	}
	return retryOnConflict(ctx, change)
}

// parseKayakIDs checks the kayak IDs of a form and removes duplicates.
func parseKayakIDs(ids []string) ([]string, error) {
	var unique []string
	for _, id := range ids {
		if err := key.CheckID(id); err != nil {
			return nil, InvalidField(fieldKayaks, "“%s” is not a kayak ID: %v.", id, err)
		}
		if !slices.Contains(unique, id) {
			unique = append(unique, id)
		}
	}
	switch {
	case len(unique) == 0:
		return nil, InvalidField(fieldKayaks, "Scan a kayak or enter its ID.")
	case len(unique) > MaxKayaks:
		return nil, InvalidField(fieldKayaks, "Enter at most %d kayaks at a time, not %d.", MaxKayaks, len(unique))
	}
	return unique, nil
}

// readKayaks makes consistent reads of kayaks of a store, in the order of ids.
func (a Access) readKayaks(ctx context.Context, storeID string, ids []string) ([]*Kayak, error) {
	values := make([]key.Map, len(ids))
	for i, id := range ids {
		values[i] = key.Map{"storeULID": storeID, "inventoryULID": id}
	}
	items, err := a.store.table.GetMany(ctx, getStoreInventoryItem, values, true)
	if err != nil {
		return nil, err
	}
	kayaks := make([]*Kayak, len(ids))
	for i, item := range items {
		if item == nil {
			return nil, InvalidField(fieldKayaks, "Kayak %s is not at this store.", ids[i])
		}
		if kayaks[i], err = table.DecodeAs[*Kayak](schema, item, nil); err != nil {
			return nil, err
		}
	}
	return kayaks, nil
}

func (a Access) checkDueDay(ctx context.Context, due time.Time) error {
	today, err := a.store.Today(ctx)
	switch {
	case err != nil:
		return err
	case due.IsZero():
		return InvalidField(fieldDue, "Enter the day when the kayaks are due back.")
	case due.Before(today):
		return InvalidField(fieldDue, "%s is in the past. Choose today or later.", longDay(due))
	case due.After(today.AddDate(0, 0, maxDaysOut)):
		return InvalidField(fieldDue, "%s is more than a year ahead. Choose an earlier day.", longDay(due))
	}
	return nil
}

// label returns the name and ID of the kayak, for sentences.
func (k *Kayak) label() string { return kayakLabel(k.Name, k.ID) }

func kayakLabel(name, id string) string {
	if name == "" {
		return "Kayak " + id
	}
	return fmt.Sprintf("%s (%s)", name, id)
}

// words returns the status as part of a sentence.
func (s KayakStatus) words() string {
	switch s {
	case KayakIn:
		return "available"
	case KayakOut:
		return "already rented out"
	case KayakRepair:
		return "in repair"
	case KayakRetired:
		return "retired"
	}
	return fmt.Sprintf("in an unknown status, %s", Quoted(string(s)))
}

func (c *change) setStatus(k *Kayak, to KayakStatus, counts storeCounts) {
	before := *k
	k.Status = to
	k.Version++
	c.Replace(k, before.Version)
	counts.add(before.StoreID, before.Status, -1)
	counts.add(k.StoreID, to, 1)
}

// storeCounts contains numbers to add to the kayak counts of stores, by store ID and
// attribute.
type storeCounts map[string]map[string]int

func (s storeCounts) add(storeID string, status KayakStatus, n int) {
	name := map[KayakStatus]string{KayakIn: attrIn, KayakOut: attrOut, KayakRepair: attrRepair}[status]
	if name == "" {
		return // stores have no count of retired kayaks
	}
	if s[storeID] == nil {
		s[storeID] = map[string]int{}
	}
	s[storeID][name] += n
}

// addCounts adds the numbers to the kayak counts of stores. The change fails if a store
// does not exist, or if an archived store would get more kayaks. addCounts does not read
// the stores first, so that changes of two kayaks of a store do not conflict. It increments
// the Version of each store, so that a concurrent edit of a store does not overwrite its
// counts.
func (c *change) addCounts(counts storeCounts) {
	for _, id := range slices.Sorted(maps.Keys(counts)) {
		addition := table.Addition{Existing: true, Counts: counts[id]}
		added := 0
		for _, n := range counts[id] {
			added += n
		}
		if added > 0 { // the store can have been archived since it was read
			addition.Absent = []string{attrArchived}
		}
		c.Add(&RentalStore{ID: id}, addition)
	}
}
