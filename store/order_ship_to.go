package store

import "context"

// ShipToFields are the fields of an order's delivery address.
var ShipToFields = Fields[Order](AddressFields(func(o *Order) *Address { return &o.ShipTo }))

func (o *Order) version() *int { return &o.Version }

// ShipToForChange makes a consistent read of an order, for a change of its delivery address.
// It returns NotFound if there is no such order.
func (a Access) ShipToForChange(ctx context.Context, id string) (*Order, error) {
	if err := a.require(Sell); err != nil {
		return nil, err
	}
	details, err := a.readOrder(ctx, id)
	if err != nil {
		return nil, err
	}
	return &details.Order, nil
}

// CanChangeShipTo reports whether the delivery address of the order can be changed: the
// lines can be edited (see CanEdit), and nothing was shipped, or there are no shipments, or
// all were unpacked.
func (d *OrderDetails) CanChangeShipTo() bool {
	return d.CanEdit() && (d.ShipmentState == NothingShipped || !d.hasShipments())
}

// NeedsAddress reports whether the order needs a delivery address before its items can be
// packed: it has none, and nothing was shipped. If something was shipped, the address may be
// unchangeable, so the other items can ship without it.
func (o *Order) NeedsAddress() bool {
	return !o.ShipTo.IsDeliverable() && o.ShipmentState == NothingShipped
}

// SaveShipTo changes the delivery address of an order. It returns NotFound, or Conflict if
// the form showed another version. It returns Invalid if the address can no longer be
// changed, if it has no street and no city, or if a field is invalid. An undo may remove the
// address, because an order can be placed without one.
func (a Access) SaveShipTo(ctx context.Context, order Order, token string) error {
	if err := a.require(Sell); err != nil {
		return err
	}
	before, err := a.readOrder(ctx, order.ID)
	if err != nil {
		return err
	}
	return saveFromForm(ctx, a, &before.Order, &order, edit[Order]{
		fields:    ShipToFields,
		edited:    EventOrderAddressEdited,
		partition: orderPartition(order.ID),
		token:     token,
		validate: func(after *Order) error {
			if !before.CanChangeShipTo() {
				return InvalidField("", "The delivery address can't be changed, because items are packed or shipped, or no items are left to ship. If a shipment is only packed, unpack it first.")
			}
			if a.undoing == nil && !after.ShipTo.IsDeliverable() {
				return InvalidField(ShipToFields[0].Name, "Enter a street or a city.")
			}
			return nil
		},
	})
}
