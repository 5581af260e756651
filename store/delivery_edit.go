package store

import (
	"context"
	"slices"
	"time"
)

// DeliveryFields are the editable fields of an expected delivery.
var DeliveryFields = Fields[ExpectedDelivery]{
	countField("quantity", "Quantity", 1, maxQuantity, func(d *ExpectedDelivery) *int { return &d.Quantity }),
	dayField("due", "Expected date", func(d *ExpectedDelivery) *time.Time { return &d.Due }).required(),
	textField("supplier", "Supplier", func(d *ExpectedDelivery) *string { return &d.Supplier }).hint("Who sends the goods."),
}

// NewDeliveryFields are the fields of a new expected delivery.
var NewDeliveryFields = slices.Concat(Fields[ExpectedDelivery]{
	pickField("product", "Product", ChooseProduct, func(d *ExpectedDelivery) *string { return &d.ProductID }).required(),
	pickField("warehouse", "Warehouse", ChooseWarehouse, func(d *ExpectedDelivery) *string { return &d.WarehouseID }).required(),
}, DeliveryFields)

func (d *ExpectedDelivery) version() *int { return &d.Version }

func deliveryEdit(d *ExpectedDelivery, fields Fields[ExpectedDelivery], token string) edit[ExpectedDelivery] {
	return edit[ExpectedDelivery]{
		fields:    fields,
		added:     EventDeliveryAdded,
		edited:    EventDeliveryEdited,
		subject:   d.WarehouseID,
		part:      d.WarehouseID + "#" + d.ID,
		partition: productPartition(d.ProductID),
		token:     token,
		validate: func(d *ExpectedDelivery) error {
			if d.Quantity < d.Received {
				return InvalidField("quantity", "Enter %d or more. Already received: %d.", d.Received, d.Received)
			}
			return nil
		},
		also: func(c *change, before, after *ExpectedDelivery) error {
			c.countIncoming(before, after)
			return nil
		},
	}
}

// AddDelivery adds an expected delivery and returns its ID, which comes from the form
// token. It returns Invalid if a field is invalid, if the expected date is in the past, if the
// product or warehouse is missing or archived, or if the user does not manage the warehouse.
// It returns Conflict if the same form already added a delivery of this product with other
// values. If the form was submitted again with another product, it adds another delivery.
func (a Access) AddDelivery(ctx context.Context, d ExpectedDelivery, token string) (id string, err error) {
	if err := a.require(ChangeStock); err != nil {
		return "", err
	}
	if d.ID, err = a.store.newID(token); err != nil {
		return "", err
	}
	return d.ID, a.addDelivery(ctx, &d, token, nil)
}

// addDelivery adds an expected delivery. Another write of the same change comes from also,
// which may be nil. A delivery without an ID gets a new ID.
func (a Access) addDelivery(ctx context.Context, d *ExpectedDelivery, token string, also func(*change)) (err error) {
	if !a.user.InCharge(d.WarehouseID) {
		return InvalidField("warehouse", "Warehouse %s not found, or not one of yours.", d.WarehouseID)
	}
	if d.ID == "" {
		if d.ID, err = a.store.ids.New(); err != nil {
			return err
		}
	}
	if err := NewDeliveryFields.check(d); err != nil {
		return err
	}
	// The key of a delivery contains the warehouse. A repeated submission with another
	// warehouse would therefore create a second delivery.
	if applied, err := a.store.alreadyApplied(ctx, productPartition(d.ProductID), token); applied || err != nil {
		return err
	}
	if err := a.nameDelivery(ctx, d); err != nil {
		return err
	}
	today, err := a.store.Today(ctx)
	switch {
	case err != nil:
		return err
	case d.Due.Before(today):
		return InvalidField("due", "Enter today or a later day.")
	}
	d.Received, d.Cancelled = 0, false
	e := deliveryEdit(d, NewDeliveryFields, token)
	if count := e.also; also != nil {
		e.also = func(c *change, before, after *ExpectedDelivery) error {
			also(c)
			return count(c, before, after)
		}
	}
	return createFromForm(ctx, a, d, e)
}

// nameDelivery sets the name of a new delivery to the name of its product. It returns
// Invalid if the product or warehouse is missing or archived.
func (a Access) nameDelivery(ctx context.Context, d *ExpectedDelivery) error {
	product, warehouse, err := a.deliveryPlace(ctx, d.ProductID, d.WarehouseID)
	switch {
	case err != nil:
		return err
	case product == nil:
		return InvalidField("product", "No product has the ID %s.", d.ProductID)
	case product.Archived:
		return InvalidField("product", "This product is archived. Restore it first.")
	case warehouse == nil:
		return InvalidField("warehouse", "No warehouse has the ID %s.", d.WarehouseID)
	case warehouse.Archived:
		return InvalidField("warehouse", "Warehouse %s is archived. Choose another one.", nameOrID(warehouse.Name, warehouse.ID))
	}
	d.Name = product.Name
	return nil
}

// SaveDelivery changes an expected delivery. It returns NotFound, Invalid, or Conflict if
// the delivery was cancelled or the form showed another version.
func (a Access) SaveDelivery(ctx context.Context, d ExpectedDelivery, token string) error {
	before, err := a.DeliveryForChange(ctx, d.ProductID, d.WarehouseID, d.ID)
	if err != nil {
		return err
	}
	if before.Cancelled && before.Version == d.Version {
		return fail(Conflict, "This delivery was cancelled. Add a new delivery.")
	}
	return saveFromForm(ctx, a, before, &d, deliveryEdit(before, DeliveryFields, token))
}

// DeliveryForm contains the fields that all forms of an expected delivery share.
type DeliveryForm struct {
	ProductID, WarehouseID, ID string
	Seen                       int // version that the form showed
	Token                      string
	Reason                     string

	Wrong InputErrors // errors found by the caller: quantities that could not be parsed
}

// CancelDelivery cancels the open quantity of an expected delivery. Pieces that were
// already received stay in stock. It returns NotFound, Invalid, or Conflict if no
// quantity is open or the form showed another version.
func (a Access) CancelDelivery(ctx context.Context, f DeliveryForm) error {
	before, err := a.DeliveryForChange(ctx, f.ProductID, f.WarehouseID, f.ID)
	if err != nil {
		return err
	}
	if err := checkLine("reason", &f.Reason); err != nil {
		return err
	}
	c, err := a.change(ctx, f.Token)
	if err != nil {
		return err
	}
	partition := productPartition(f.ProductID)
	switch {
	case before.Version != f.Seen:
		return c.rejectOutdated(ctx, partition)
	case before.Open() == 0:
		return errNothingExpected()
	}
	after := *before
	after.Cancelled = true
	c.recordEvent(Event{Partition: partition, What: EventDeliveryCancelled, Subject: f.WarehouseID, Why: f.Reason, Before: before.progress()})
	c.countIncoming(before, &after)
	c.replaceNext(&after, &after.Version)
	return c.Commit(ctx)
}

func errNothingExpected() error {
	return fail(Conflict, "This delivery is already received or cancelled.")
}
