package store

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// EraseBlocker is a reason why the data of a person cannot be erased yet.
type EraseBlocker struct {
	Reason    string // a sentence
	Partition string // partition of the record that must be finished first, for a link
}

// maxBlockers is the maximum number of reasons that planErasure and OpenMatters return.
const maxBlockers = 20

// blockers returns a function that calls blockerOf for the current day of the business.
func (s *Store) blockers(ctx context.Context) (func(Entity) (EraseBlocker, bool), error) {
	today, err := s.Today(ctx)
	return func(e Entity) (EraseBlocker, bool) { return blockerOf(e, today) }, err
}

// blockerOf returns why a record prevents the erasure of its person on a day. ok is false
// if the record does not prevent it.
func blockerOf(e Entity, today time.Time) (b EraseBlocker, ok bool) {
	switch e := e.(type) {
	case *Order:
		if !slices.Contains([]OrderStatus{OrderDelivered, OrderCancelled, OrderReturned}, e.Status) || e.Unfinished {
			return EraseBlocker{fmt.Sprintf("Order %s is still open.", e.ID), orderPartition(e.ID)}, true
		}
	case *Invoice:
		switch e.BalanceDue().Sign() {
		case 1:
			return EraseBlocker{fmt.Sprintf("Invoice %s is not paid.", e.NumberText()), orderPartition(e.OrderID)}, true
		case -1:
			return EraseBlocker{fmt.Sprintf("A refund is due for invoice %s.", e.NumberText()), orderPartition(e.OrderID)}, true
		}
	case *Shipment:
		if e.Status == ShipmentPacked || e.Status == ShipmentSent {
			return EraseBlocker{fmt.Sprintf("Shipment %s is not delivered.", e.ID), orderPartition(e.OrderID)}, true
		}
	case *ActiveRental:
		return EraseBlocker{fmt.Sprintf("Kayak %s is rented out to this person.", nameOrID(e.KayakName, e.KayakID)), kayakPartition(e.KayakID)}, true
	case *RentalPayment:
		if e.IsUnpaid() {
			return EraseBlocker{"A rental charge is not paid.", storePartition(e.StoreID)}, true
		}
	case *Booking:
		if e.IsOpen() {
			return EraseBlocker{"A booking is still open.", bookingPartition(e.ID)}, true
		}
	case *Subscription:
		switch {
		case e.Status != SubscriptionCancelled:
			return EraseBlocker{fmt.Sprintf("Subscription %s is not cancelled.", e.ID), accountPartition(e.AccountID)}, true
		case e.PendingAttempt.Key != "":
			return EraseBlocker{fmt.Sprintf("The outcome of a payment of subscription %s is not known yet.", e.ID), accountPartition(e.AccountID)}, true
		}
	case *Email:
		if e.Status == EmailSending {
			return EraseBlocker{"An email to this person is being sent. Try again in a minute.", accountPartition(e.CustomerID)}, true
		}
	case *Employment:
		switch {
		case e.To.IsZero():
			return EraseBlocker{fmt.Sprintf("This person works at the store %s.", nameOrID(e.StoreName, e.StoreID)), storePartition(e.StoreID)}, true
		case !today.After(e.To):
			return EraseBlocker{fmt.Sprintf("This person works at the store %s until %s.", nameOrID(e.StoreName, e.StoreID), longDay(e.To)), storePartition(e.StoreID)}, true
		}
	}
	return EraseBlocker{}, false
}
