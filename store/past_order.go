package store

import (
	"context"
	"slices"
	"time"
)

// PastOrder is an order at an earlier moment, with its lines, invoices, credit notes and
// shipments.
type PastOrder struct {
	Past
	Order OrderDetails // without Events
}

// PastInvoice is an invoice at an earlier moment, with its credit notes.
type PastInvoice struct {
	Past
	Invoice     Invoice
	CreditNotes []CreditNote
}

// OrderAt returns an order at an earlier moment. Managers see only the shipments of their
// own warehouses. It returns NotFound, or Invalid for a moment in the future or before
// 1970.
func (a Access) OrderAt(ctx context.Context, id string, at time.Time) (*PastOrder, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	past, err := a.orderAt(ctx, id, at)
	if err != nil {
		return nil, err
	}
	past.Order.Shipments = a.ownShipments(past.Order.Shipments)
	return past, nil
}

func (a Access) orderAt(ctx context.Context, id string, at time.Time) (*PastOrder, error) {
	if err := a.store.checkPast(at); err != nil {
		return nil, err
	}
	d, err := a.readOrder(ctx, id)
	if err != nil {
		return nil, err
	}
	d.Events = nil
	past, err := a.store.before(ctx, orderPartition(id), at, d.reverse)
	if err != nil {
		return nil, err
	}
	past.addedAt(d.Date)
	d.dropLater(at)
	d.UpdateOpenLines()
	return &PastOrder{past, *d}, nil
}

// dropLater removes the invoices, credit notes and shipments that are dated after a moment.
// This is necessary for an imported order, because no event says when they were added.
func (d *OrderDetails) dropLater(at time.Time) {
	d.Invoices = slices.DeleteFunc(d.Invoices, func(i Invoice) bool { return i.Date.After(at) })
	d.CreditNotes = slices.DeleteFunc(d.CreditNotes, func(n CreditNote) bool { return n.Date.After(at) })
	d.Shipments = slices.DeleteFunc(d.Shipments, func(s ShipmentDetails) bool { return s.Date.After(at) })
}

// reverse sets the order to its state before an event.
func (d *OrderDetails) reverse(e *Event) PastGap {
	switch e.What {
	case EventOrderPlaced:
		return PastNotAdded
	case EventOrderAddressEdited:
		return ShipToFields.revert(&d.Order, e, "")
	case EventOrderCancelled, EventOrderEdited, EventOrderFinished, EventOrderReturned, EventOrderShipped,
		EventPaymentRecorded, EventPaymentRefunded, EventPaymentReversed, EventShipmentDelivered, EventShipmentSent, EventShipmentUnpacked:
		return d.revert(e)
	}
	return unlessKnown(e)
}

// InvoiceAt returns an invoice at an earlier moment. It returns NotFound, or Invalid for a
// moment in the future or before 1970.
func (a Access) InvoiceAt(ctx context.Context, id string, at time.Time) (*PastInvoice, error) {
	now, err := a.Invoice(ctx, id)
	if err != nil {
		return nil, err
	}
	order, err := a.orderAt(ctx, now.OrderID, at)
	if err != nil {
		return nil, err
	}
	past := &PastInvoice{Past: order.Past, Invoice: *now}
	n := slices.IndexFunc(order.Order.Invoices, func(i Invoice) bool { return i.ID == id })
	switch {
	case now.Date.After(at):
		past.Gap, past.Since = PastNotAdded, now.Date
	case n < 0:
		past.Gap = PastNoValues
	default:
		past.Invoice = order.Order.Invoices[n]
	}
	for _, note := range order.Order.CreditNotes {
		if note.InvoiceID == id {
			past.CreditNotes = append(past.CreditNotes, note)
		}
	}
	return past, nil
}
