package store

import (
	"context"
	"strings"

	"stockroom/store/key"
)

// Repair takes a kayak that is in out of service, and says why.
func (a Access) Repair(ctx context.Context, id string, seen int, why, once string) error {
	if err := a.require(RunRentals); err != nil {
		return err
	}
	if strings.TrimSpace(why) == "" {
		return InvalidField("why", "Say what is wrong with it.")
	}
	return a.turnKayak(ctx, id, seen, KayakRepair, "to be repaired", why, once, KayakIn)
}

// Repaired puts a kayak back into service.
func (a Access) Repaired(ctx context.Context, id string, seen int, why, once string) error {
	return a.turnKayak(ctx, id, seen, KayakIn, "repaired", why, once, KayakRepair)
}

// Retire takes a kayak out of service for good. Its history stays.
func (a Access) Retire(ctx context.Context, id string, seen int, why, once string) error {
	if err := a.require(RunRentals); err != nil {
		return err
	}
	if strings.TrimSpace(why) == "" {
		return InvalidField("why", "Say why it is retired: this cannot be undone.")
	}
	return a.turnKayak(ctx, id, seen, KayakRetired, "retired", why, once, KayakIn, KayakRepair)
}

func (a Access) turnKayak(ctx context.Context, id string, seen int, to KayakStatus, what, why, once string, from ...KayakStatus) error {
	k, err := a.kayakToChange(ctx, id, seen, from...)
	if err != nil {
		return a.store.okIfApplied(ctx, kayakPartition(id), once, err)
	}
	c, err := a.change(ctx, once)
	if err != nil {
		return err
	}
	c.recordEvent(Event{Partition: kayakPartition(id), What: what, Before: string(k.Status), After: string(to), Why: strings.TrimSpace(why)})
	counts := storeCounts{}
	c.turn(k, to, counts)
	c.count(counts)
	return c.Commit(ctx)
}

// Move brings a kayak to another store; whoever does it runs both. Its history
// goes along.
func (a Access) Move(ctx context.Context, id string, seen int, toStoreID, once string) error {
	if err := a.require(RunRentals); err != nil {
		return err
	}
	if !a.user.InChargeOfStore(toStoreID) {
		return InvalidField("store", "There is no store %s in your charge.", toStoreID)
	}
	k, err := a.kayakToChange(ctx, id, seen, KayakIn, KayakRepair)
	if err != nil {
		return a.store.okIfApplied(ctx, kayakPartition(id), once, err)
	}
	if k.StoreID == toStoreID {
		return a.store.okIfApplied(ctx, kayakPartition(id), once, InvalidField("store", "%s is at this store already.", k.label()))
	}
	switch _, err := a.RentalStore(ctx, toStoreID); {
	case KindOf(err) == NotFound:
		return InvalidField("store", "There is no store %s in your charge.", toStoreID)
	case err != nil:
		return err
	}
	c, err := a.change(ctx, once)
	if err != nil {
		return err
	}
	c.recordEvent(Event{Partition: kayakPartition(id), What: "moved", Before: k.StoreID, After: toStoreID})
	c.DeleteVersion(k, k.Version)
	moved := *k
	moved.StoreID = toStoreID
	moved.Version++
	c.Create(&moved)
	counts := storeCounts{}
	counts.move(k.StoreID, k.Status, -1)
	counts.move(toStoreID, k.Status, 1)
	c.count(counts)
	return c.Commit(ctx)
}

// kayakToChange reads a kayak that is to be changed as it was seen, and
// refuses one that is in none of these states.
func (a Access) kayakToChange(ctx context.Context, id string, seen int, from ...KayakStatus) (*Kayak, error) {
	if err := a.require(RunRentals); err != nil {
		return nil, err
	}
	found, err := a.Kayak(ctx, id)
	if err != nil {
		return nil, err
	}
	// The index may lag behind: what counts is the kayak itself.
	k, err := readConsistently[*Kayak](ctx, a.store, getStoreInventoryItem, key.Map{"storeULID": found.StoreID, "inventoryULID": id})
	switch {
	case KindOf(err) == NotFound:
		return nil, errOutdated()
	case err != nil:
		return nil, err
	}
	for _, status := range from {
		if k.Status == status {
			if k.Version != seen {
				return nil, errOutdated()
			}
			return k, nil
		}
	}
	return nil, fail(Conflict, "%s is %s.", k.label(), k.Status.words())
}
