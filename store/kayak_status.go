package store

import (
	"context"
	"slices"
	"strings"
)

// Repair takes an available kayak out of service for repair. It returns Invalid if the
// reason is missing or invalid, and Conflict if the kayak is not available or the version
// is outdated. It can also return Forbidden or NotFound.
func (a Access) Repair(ctx context.Context, id string, version int, why, token string) error {
	if err := a.require(RunRentals); err != nil {
		return err
	}
	if strings.TrimSpace(why) == "" {
		return InvalidField("why", "Enter what is wrong with the kayak.")
	}
	return a.changeStatus(ctx, id, version, KayakRepair, EventKayakRepairStarted, why, token, KayakIn)
}

// CompleteRepair makes a repaired kayak available again. It returns Invalid if the reason
// is invalid, and Conflict if the kayak is not in repair or the version is outdated. It can
// also return Forbidden or NotFound.
func (a Access) CompleteRepair(ctx context.Context, id string, version int, why, token string) error {
	return a.changeStatus(ctx, id, version, KayakIn, EventKayakRepaired, why, token, KayakRepair)
}

// Retire takes a kayak out of service permanently. Its history stays. RestoreKayak makes
// the kayak available again. Retire returns Invalid if the reason is empty or
// checkOptionalReason rejects it. It returns Conflict if the kayak is out, booked or
// already retired, or if the version is outdated. It can also return Forbidden or NotFound.
func (a Access) Retire(ctx context.Context, id string, version int, why, token string) error {
	if err := a.require(RunRentals); err != nil {
		return err
	}
	if strings.TrimSpace(why) == "" {
		return InvalidField("why", "Enter why the kayak is retired.")
	}
	return a.changeStatus(ctx, id, version, KayakRetired, EventKayakRetired, why, token, KayakIn, KayakRepair)
}

// RestoreKayak makes a retired kayak available again. It returns Invalid if the store is
// archived or checkOptionalReason rejects the reason. It returns Conflict if the kayak is not
// retired, if the version is outdated, or if the store is archived at the same time. It can
// also return Forbidden or NotFound.
func (a Access) RestoreKayak(ctx context.Context, id string, version int, why, token string) error {
	k, err := a.KayakForChange(ctx, id)
	if err != nil {
		return err
	}
	at, err := a.RentalStore(ctx, k.StoreID)
	if err == nil {
		err = at.requireOpen()
	}
	if err != nil {
		return a.store.okIfApplied(ctx, kayakPartition(id), token, err)
	}
	return a.changeStatus(ctx, id, version, KayakIn, EventKayakRestored, why, token, KayakRetired)
}

func (a Access) changeStatus(ctx context.Context, id string, version int, to KayakStatus, what EventCode, why, token string, from ...KayakStatus) error {
	k, err := a.kayakToChange(ctx, id, version, from...)
	if err != nil {
		return a.store.okIfApplied(ctx, kayakPartition(id), token, err)
	}
	if to == KayakRetired {
		if err := a.requireNoBookings(ctx, k); err != nil {
			return err
		}
	}
	if why, err = checkOptionalReason(why); err != nil {
		return err
	}
	c, err := a.change(ctx, token)
	if err != nil {
		return err
	}
	c.recordEvent(Event{
		Partition: kayakPartition(id), What: what, Before: string(k.Status), After: string(to), Why: why,
		Values: eventValues(EventValue{Name: kayakStatus[0].Name, Before: string(k.Status), After: string(to)}),
	})
	counts := storeCounts{}
	c.setStatus(k, to, counts)
	c.addCounts(counts)
	return c.Commit(ctx)
}

// MoveKayak moves a kayak and its history to another store. It returns Forbidden, NotFound,
// or Conflict if the kayak is out, retired or booked, if the version is outdated, or if the
// new store is archived at the same time. It returns Invalid if the user does not manage the new
// store, if that store is archived, or if the kayak is already there.
func (a Access) MoveKayak(ctx context.Context, id string, version int, toStoreID, token string) error {
	if err := a.require(RunRentals); err != nil {
		return err
	}
	if toStoreID == "" {
		return InvalidField("store", "Choose a store.")
	}
	if !a.user.InChargeOfStore(toStoreID) {
		return InvalidField("store", "Store %s not found, or not one of yours.", toStoreID)
	}
	k, err := a.kayakToChange(ctx, id, version, KayakIn, KayakRepair)
	if err != nil {
		return a.store.okIfApplied(ctx, kayakPartition(id), token, err)
	}
	if k.StoreID == toStoreID {
		return a.store.okIfApplied(ctx, kayakPartition(id), token, InvalidField("store", "%s is already at this store. Choose another store.", k.label()))
	}
	if err := a.requireNoBookings(ctx, k); err != nil {
		return err
	}
	switch to, err := a.RentalStore(ctx, toStoreID); {
	case KindOf(err) == NotFound:
		return InvalidField("store", "Store %s not found, or not one of yours.", toStoreID)
	case err != nil:
		return err
	case to.Archived:
		return InvalidField("store", "%s is archived. Choose another store.", nameOrID(to.Name, to.ID))
	}
	c, err := a.change(ctx, token)
	if err != nil {
		return err
	}
	c.recordEvent(Event{
		Partition: kayakPartition(id), What: EventKayakMoved, Before: k.StoreID, After: toStoreID,
		Values: eventValues(EventValue{Name: kayakPlace[0].Name, Before: k.StoreID, After: toStoreID}),
	})
	c.DeleteVersion(k, k.Version)
	moved := *k
	moved.StoreID = toStoreID
	moved.Version++
	c.Tx.Create(&moved)
	c.updateWords(k, &moved)
	counts := storeCounts{}
	counts.add(k.StoreID, k.Status, -1)
	counts.add(toStoreID, k.Status, 1)
	c.addCounts(counts)
	return c.Commit(ctx)
}

// kayakToChange makes a consistent read of a kayak. It returns Conflict if the kayak has
// none of the given statuses, or if the version is outdated. It can also return the errors
// of KayakForChange.
func (a Access) kayakToChange(ctx context.Context, id string, version int, from ...KayakStatus) (*Kayak, error) {
	k, err := a.KayakForChange(ctx, id)
	switch {
	case err != nil:
		return nil, err
	case !slices.Contains(from, k.Status):
		return nil, fail(Conflict, "%s is %s. This is only possible if a kayak is %s.", k.label(), k.Status.words(), statusWords(from))
	case k.Version != version:
		return nil, errOutdated()
	}
	return k, nil
}

// statusWords returns statuses as part of a sentence, such as "available or in repair".
func statusWords(statuses []KayakStatus) string {
	words := make([]string, len(statuses))
	for i, s := range statuses {
		words[i] = s.words()
	}
	return strings.Join(words, " or ")
}
