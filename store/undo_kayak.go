package store

import "context"

// kayakPlace is the store of a kayak, for the undo of a move.
var kayakPlace = Fields[Kayak]{pickField("store", "Store", ChooseStore, func(k *Kayak) *string { return &k.StoreID })}

// kayakStatus is the status of a kayak, for the undo of a repair or retirement.
var kayakStatus = Fields[Kayak]{choiceField("status", "Status", []FieldOption{
	{string(KayakIn), "Available"},
	{string(KayakOut), "Out"},
	{string(KayakRepair), "In repair"},
	{string(KayakRetired), "Retired"},
}, func(k *Kayak) *KayakStatus { return &k.Status })}

func (a Access) moveBack(ctx context.Context, k Kayak, token string) error {
	return a.MoveKayak(ctx, k.ID, k.Version, k.StoreID, token)
}

// restoreStatus sets the status of a kayak to k's status, under the rules of the forms
// that change the status.
func (a Access) restoreStatus(ctx context.Context, k Kayak, token string) error {
	stored, err := a.KayakForChange(ctx, k.ID)
	if err != nil {
		return err
	}
	what := EventKayakRepaired
	switch {
	case k.Status == KayakRetired:
		what = EventKayakRetired
	case k.Status == KayakRepair:
		what = EventKayakRepairStarted
	case stored.Status == KayakRetired:
		what = EventKayakRestored
	}
	if stored.Status == KayakRetired {
		at, err := a.RentalStore(ctx, stored.StoreID)
		if err != nil {
			return err
		}
		if err := at.requireOpen(); err != nil {
			return err
		}
	}
	return a.changeStatus(ctx, k.ID, k.Version, k.Status, what, "", token, KayakIn, KayakRepair, KayakRetired)
}
