package store

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// What checking out, returning and changing kayaks have in common.

// Bounds of one form: a transaction takes four items a kayak, and a due day
// years ahead is a slip of the finger.
const (
	MaxKayaks   = 20
	maxDaysOut  = 365
	fieldKayaks = "kayaks"
	fieldPerson = "person"
	fieldDue    = "due"
)

// runs refuses who may not rent a store's kayaks out. Of a store in another's
// charge it says no more than that there is none.
func (a Access) runs(storeID string) error {
	if err := a.require(RunRentals); err != nil {
		return err
	}
	return a.inChargeOfStore(storeID)
}

// rent makes a change of kayaks that are told of under the first, again where
// it met another's. A form that was sent before is looked for at once: a kayak
// comes back to where it was, so what the form asked for could be done again.
func (a Access) rent(ctx context.Context, ids []string, once string, change func() error) error {
	if before, err := a.store.alreadyApplied(ctx, kayakPartition(ids[0]), once); before || err != nil {
		return err
	}
	return retryOnConflict(ctx, change)
}

// kayakIDs are the kayaks that a form names, each once.
func kayakIDs(ids []string) ([]string, error) {
	var named []string
	for _, id := range ids {
		if err := key.CheckID(id); err != nil {
			return nil, InvalidField(fieldKayaks, "%q is not the ID of a kayak: %v.", id, err)
		}
		if !slices.Contains(named, id) {
			named = append(named, id)
		}
	}
	switch {
	case len(named) == 0:
		return nil, InvalidField(fieldKayaks, "Scan a kayak, or type its ID.")
	case len(named) > MaxKayaks:
		return nil, InvalidField(fieldKayaks, "These are %d kayaks; take %d at a time at most.", len(named), MaxKayaks)
	}
	return named, nil
}

// kayaksAt reads a store's kayaks for a change, in the order of their IDs.
func (a Access) kayaksAt(ctx context.Context, storeID string, ids []string) ([]*Kayak, error) {
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
			return nil, InvalidField(fieldKayaks, "There is no kayak %s at this store.", ids[i])
		}
		if kayaks[i], err = table.DecodeAs[*Kayak](schema, item, nil); err != nil {
			return nil, err
		}
	}
	return kayaks, nil
}

// dueDay checks the day by which something is to be back.
func (a Access) dueDay(ctx context.Context, due time.Time) error {
	today, err := a.store.Today(ctx)
	switch {
	case err != nil:
		return err
	case due.IsZero():
		return InvalidField(fieldDue, "Say by which day it is to be back.")
	case due.Before(today):
		return InvalidField(fieldDue, "%s is over: choose today or a later day.", calendarDay(due))
	case due.After(today.AddDate(0, 0, maxDaysOut)):
		return InvalidField(fieldDue, "%s is more than a year ahead.", calendarDay(due))
	}
	return nil
}

// turn gives a kayak another state, which its store counts.
func (c *change) turn(k *Kayak, to KayakStatus, counts storeCounts) {
	seen := *k
	k.Status = to
	k.Version++
	c.Replace(k, seen.Version)
	counts.move(seen.StoreID, seen.Status, -1)
	counts.move(k.StoreID, to, 1)
}

// storeCounts are what a change adds to the counts of stores.
type storeCounts map[string]map[string]int

func (s storeCounts) move(storeID string, status KayakStatus, by int) {
	name := map[KayakStatus]string{KayakIn: attrIn, KayakOut: attrOut, KayakRepair: attrRepair}[status]
	if name == "" {
		return // what is retired is not counted
	}
	if s[storeID] == nil {
		s[storeID] = map[string]int{}
	}
	s[storeID][name] += by
}

// count adds to the counts of stores that are there. They are added to without
// having been read, so that two kayaks of one store never stand in each
// other's way; the Version rises with them, so that nobody puts a store in
// their place as it was before.
func (c *change) count(counts storeCounts) {
	for _, id := range slices.Sorted(maps.Keys(counts)) {
		names := map[string]string{"#key": table.AttrPK, "#version": table.AttrVersion}
		added := Item{":one": table.NumberValue("1")}
		var adds []string
		for _, name := range slices.Sorted(maps.Keys(counts[id])) {
			names["#"+name] = name
			added[":"+name] = table.NumberValue(strconv.Itoa(counts[id][name]))
			adds = append(adds, "#"+name+" :"+name)
		}
		c.Update(&RentalStore{ID: id}, "ADD "+strings.Join(adds, ", ")+", #version :one", table.Condition{
			Expression: "attribute_exists(#key)",
			Names:      names,
			Values:     added,
		})
	}
}
