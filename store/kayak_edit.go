package store

import (
	"context"

	"stockroom/store/key"
)

// KayakFields are the editable fields of a kayak.
var KayakFields = Fields[Kayak]{
	textField("name", "Name", func(k *Kayak) *string { return &k.Name }).required(),
	textField("kind", "Kind", func(k *Kayak) *string { return &k.Kind }).hint("For example, Sea kayak or Double kayak."),
	moneyField("rate", "Daily rate", func(k *Kayak) *Amount { return &k.DailyRate }).alsoCheck(checkDailyRate).required().hint("Charged for each calendar day, including the days of check-out and check-in. Existing rentals keep their rate."),
	textField("serial", "Serial number", func(k *Kayak) *string { return &k.Serial }),
	textField("condition", "Condition", func(k *Kayak) *string { return &k.Condition }),
}

// MaxDailyRate is the maximum daily rate of a kayak, the same number as maxQuantity. The
// charge for 1000 days can then be stored. If a charge could not be stored, the kayak could
// not be checked in.
var MaxDailyRate = MinorUnits(100 * maxQuantity)

// MaxDailyRateText is MaxDailyRate as text, for messages.
const MaxDailyRateText = maxQuantityText

func checkDailyRate(k *Kayak) error {
	if k.DailyRate.Compare(MaxDailyRate) > 0 {
		return InvalidField("rate", "Enter at most %s.", MaxDailyRateText)
	}
	return nil
}

func (k *Kayak) version() *int { return &k.Version }

func kayakEdit(id, token string) edit[Kayak] {
	return edit[Kayak]{
		fields:    KayakFields,
		added:     EventKayakAdded,
		edited:    EventKayakEdited,
		partition: kayakPartition(id),
		token:     token,
		also: func(c *change, before, after *Kayak) error {
			if before == nil {
				counts := storeCounts{}
				counts.add(after.StoreID, after.Status, 1)
				c.addCounts(counts)
			}
			return nil
		},
	}
}

// AddKayak adds an available kayak to a store and returns its ID. The ID comes from the
// form token. AddKayak returns NotFound if the user does not manage the store, and Invalid
// if a field is invalid or the store is archived. It returns Conflict if the same form
// already added a kayak with other values, or if the store is archived at the same time.
func (a Access) AddKayak(ctx context.Context, k Kayak, token string) (id string, err error) {
	if err := a.requireRentals(k.StoreID); err != nil {
		return "", err
	}
	at, err := readConsistently[*RentalStore](ctx, a.store, getStore, key.Map{"storeULID": k.StoreID})
	if err != nil {
		return "", err
	}
	if err := at.requireOpen(); err != nil {
		return "", err
	}
	if k.ID, err = a.store.newID(token); err != nil {
		return "", err
	}
	k.Status = KayakIn
	return k.ID, createFromForm(ctx, a, &k, kayakEdit(k.ID, token))
}

// SaveKayak changes a kayak. Existing rentals keep their copies of the name and rate.
// SaveKayak returns the errors of KayakForChange, Invalid if a field is invalid, and
// Conflict if the form showed another version.
func (a Access) SaveKayak(ctx context.Context, k Kayak, token string) error {
	before, err := a.KayakForChange(ctx, k.ID)
	if err != nil {
		return err
	}
	return saveFromForm(ctx, a, before, &k, kayakEdit(k.ID, token))
}

// KayakForChange makes a consistent read of a kayak. It returns NotFound if Kayak does,
// or Conflict if the kayak is no longer at the store that Kayak returned.
func (a Access) KayakForChange(ctx context.Context, id string) (*Kayak, error) {
	if err := a.require(RunRentals); err != nil {
		return nil, err
	}
	found, err := a.Kayak(ctx, id)
	if err != nil {
		return nil, err
	}
	// a.Kayak reads an index, which is updated with a delay. Read the kayak again from
	// the table.
	k, err := readConsistently[*Kayak](ctx, a.store, getStoreInventoryItem, key.Map{"storeULID": found.StoreID, "inventoryULID": id})
	if KindOf(err) == NotFound {
		return nil, errOutdated()
	}
	return k, err
}
