package store

import (
	"slices"
	"time"
)

// LastChange describes when an entity was last changed: at the time At, or at its
// last event in Partition, whichever is later.
type LastChange struct {
	At        time.Time // the latest of the entity's own dates; zero if it has no dates
	Partition string    // partition of its events; "" if changes have no events
	IsPart    bool      // the entity is part of a record in this partition; the dates of that record apply
}

// LastChangeOf returns the LastChange of an entity. known is false if the table does not
// record all changes of entities of this type.
func LastChangeOf(e Entity) (last LastChange, known bool) {
	switch e := e.(type) {
	case *Event:
		return LastChange{At: e.When}, true
	case *StockMove:
		return LastChange{At: e.When}, true
	case *Receipt:
		return LastChange{At: e.ProcessedDate}, true
	case *Customer:
		return LastChange{At: e.Created, Partition: partitionOf(getCustomer, "customerID", e.ID)}, true
	case *Employee:
		return LastChange{Partition: partitionOf(getEmployee, "employeeID", e.ID)}, true
	case *Warehouse:
		return LastChange{Partition: partitionOf(getWarehouse, "warehouseID", e.ID)}, true
	case *Product:
		return LastChange{Partition: productPartition(e.ID)}, true
	case *WarehouseItem:
		return LastChange{Partition: productPartition(e.ProductID)}, true
	case *ExpectedDelivery:
		return LastChange{Partition: productPartition(e.ProductID)}, true
	case *Transfer:
		return LastChange{Partition: productPartition(e.ProductID)}, true
	case *Order:
		return LastChange{At: e.Date, Partition: orderPartition(e.ID)}, true
	case *OrderItem:
		return LastChange{At: e.Date, Partition: orderPartition(e.OrderID)}, true
	case *Invoice:
		return LastChange{At: e.Date, Partition: orderPartition(e.OrderID)}, true
	case *CreditNote:
		return LastChange{At: e.Date, Partition: orderPartition(e.OrderID)}, true
	case *Shipment:
		return LastChange{At: e.Date, Partition: orderPartition(e.OrderID)}, true
	case *ShipmentItem:
		return LastChange{Partition: orderPartition(e.OrderID), IsPart: true}, true
	case *Kayak:
		return LastChange{Partition: kayakPartition(e.ID)}, true
	case *ActiveRental:
		return LastChange{At: e.Out, Partition: kayakPartition(e.KayakID)}, true
	case *Rental:
		if !e.Returned.IsZero() {
			return LastChange{At: e.Returned}, true
		}
		return LastChange{At: e.Out, Partition: kayakPartition(e.KayakID)}, true
	case *Booking:
		return LastChange{At: e.Created, Partition: bookingPartition(e.ID)}, true
	case *BookingDay:
		return LastChange{Partition: bookingPartition(e.BookingID), IsPart: true}, true
	case *Subscription:
		at := slices.MaxFunc([]time.Time{e.Created, e.LastPaymentDate, e.LastReminderDate}, time.Time.Compare)
		return LastChange{At: at, Partition: accountPartition(e.AccountID)}, true
	}
	return LastChange{}, false
}

// ChangedPartition returns the partition of the records that were changed together with e,
// and the time of that change. ok is false if e is not an event, a ledger entry or a
// shipment.
func ChangedPartition(e Entity) (partition string, at time.Time, ok bool) {
	switch e := e.(type) {
	case *Event:
		return e.Partition, e.When, true
	case *StockMove:
		return productPartition(e.ProductID), e.When, true
	case *Shipment:
		return orderPartition(e.OrderID), e.Date, true
	case *ShipmentItem:
		return productPartition(e.ProductID), e.When, e.EntryID != ""
	}
	return "", time.Time{}, false
}
