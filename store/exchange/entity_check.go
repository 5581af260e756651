package exchange

import (
	"fmt"
	"slices"
	"strings"

	"stockroom/store"
	"stockroom/store/key"
)

// decode makes the entity, or says why it cannot.
func (f *found) decode() (reason string) {
	if reason := f.shape.check(f.row.Item); reason != "" {
		return reason
	}
	if reason := misfit(f.shape.kind, f.row.Item); reason != "" {
		return reason
	}
	if f.shape.kind == kindPayment {
		return f.decodePayment()
	}
	entity, err := store.Decode(f.row.Item)
	if err != nil {
		return err.Error()
	}
	f.entity = entity
	return first(noKeys(entity), nonsense(entity))
}

// decodePayment reads a payment as an invoice would hold it.
func (f *found) decodePayment() (reason string) {
	item := f.row.Item
	amount, err := store.ParseAmount(text(item, "Amount"))
	if err != nil {
		return fmt.Sprintf("The payment's Amount is %q, not an amount of money.", text(item, "Amount"))
	}
	f.fold = &store.Payment{
		ID: strings.TrimPrefix(text(item, "SK"), "pmn#"), Type: text(item, "Type"),
		Amount: amount, Data: store.LastFour(text(item, "Data")),
	}
	if date := text(item, "Date"); date != "" {
		if f.fold.Date, err = store.ParseTime(date); err != nil {
			return fmt.Sprintf("The payment's Date is %q, not a time.", date)
		}
	}
	return ""
}

// noKeys says which ID of an entity cannot stand in a key.
func noKeys(entity store.Entity) (reason string) {
	sheet, _ := SheetOf(entity.EntityType())
	for i := range sheet.Columns {
		if c := &sheet.Columns[i]; isID(c.value) {
			if reason := noKey(c.Name, entity.KeyValue(c.value)); reason != "" {
				return reason
			}
		}
	}
	return ""
}

// maxEmail is the longest e-mail address that mail servers take, in bytes. It
// is a key of an index, where much longer ones would not fit.
const maxEmail = 254

// nonsense says what an entity claims that cannot be.
func nonsense(entity store.Entity) (reason string) {
	switch e := entity.(type) {
	case *store.Customer:
		if len(e.Email) > maxEmail {
			return fmt.Sprintf("Its Email has %d bytes; an address has at most %d.", len(e.Email), maxEmail)
		}
		return first(noKey("AccountRepID", e.AccountRepID))
	case *store.Product:
		return first(negative("Price", e.Price), noKey("SKU", e.SKU))
	case *store.WarehouseItem:
		return first(outside("Quantity", e.Quantity, 0), outside("ReorderPoint", e.ReorderPoint, 0))
	case *store.Order:
		return first(
			unknown("Status", e.Status, store.OrderStatuses),
			unknown("PaymentState", e.PaymentState, store.InvoiceStatuses),
			unknown("ShipmentState", e.ShipmentState, []store.ShipmentState{store.NothingShipped, store.PartlyShipped, store.WhollyShipped}),
			negative("Total", e.Total), outside("ItemCount", e.ItemCount, 0), noKey("AccountRepID", e.AccountRepID),
		)
	case *store.OrderItem:
		if e.Shipped > e.Quantity || e.Returned > e.Quantity {
			return "More of it was shipped or returned than ordered."
		}
		return first(negative("Price", e.Price), outside("Quantity", e.Quantity, 1), outside("Shipped", e.Shipped, 0), outside("Returned", e.Returned, 0))
	case *store.Invoice:
		return first(unknown("Status", e.Status, store.InvoiceStatuses), negative("Amount", e.Amount))
	case *store.Shipment:
		return unknown("Status", e.Status, store.ShipmentStatuses)
	case *store.Subscription:
		if e.PaymentDay < 1 || e.PaymentDay > 31 {
			return fmt.Sprintf("Its PaymentDay is %d, no day of a month.", e.PaymentDay)
		}
		return first(unknown("Status", e.Status, store.SubscriptionStatuses), negative("PaymentAmount", e.PaymentAmount), outside("Attempt", e.Attempt, 0))
	case *store.Receipt:
		return negative("ProcessedAmount", e.ProcessedAmount)
	case *store.ShipmentItem:
		if e.ShipmentID == "" || e.ProductID == "" {
			return "The item of a shipment does not say its shipment and its product."
		}
		return outside("Quantity", e.Quantity, 1)
	}
	return first(nonsenseOfPeople(entity), nonsenseOfRentals(entity))
}

// first is the first reason that there is.
func first(reasons ...string) string {
	for _, reason := range reasons {
		if reason != "" {
			return reason
		}
	}
	return ""
}

func negative(name string, amount store.Amount) string {
	if amount.Sign() < 0 {
		return fmt.Sprintf("Its %s is %s, less than nothing.", name, amount)
	}
	return ""
}

func outside(name string, quantity, least int) string {
	if quantity < least {
		return fmt.Sprintf("Its %s is %d, less than %d.", name, quantity, least)
	}
	return ""
}

func noKey(name, id string) string {
	if err := key.CheckID(id); id != "" && err != nil {
		return fmt.Sprintf("Its %s is %q: %v.", name, id, err)
	}
	return ""
}

func unknown[S ~string](name string, status S, all []S) string {
	if status != "" && !slices.Contains(all, status) {
		return fmt.Sprintf("Its %s is %q, not one of %v.", name, status, all)
	}
	return ""
}

// unwritable says why a completed entity cannot be in the table.
func (f *found) unwritable() (reason string) {
	item, reason := writable(f.entity)
	if reason == "" && f.shape.composed() && (text(item, "PK") != text(f.row.Item, "PK") || text(item, "SK") != text(f.row.Item, "SK")) {
		return fmt.Sprintf("Its keys are %q and %q; what it says has %q and %q.", text(f.row.Item, "PK"), text(f.row.Item, "SK"), text(item, "PK"), text(item, "SK"))
	}
	return reason
}

// writable makes the item of an entity. What cannot be read again, such as a
// sum beyond the bounds of amounts, is not written.
func writable(entity store.Entity) (item store.Item, reason string) {
	item, err := store.Encode(entity, key.DefaultShards)
	if err == nil {
		_, err = store.Decode(item)
	}
	if err != nil {
		return nil, err.Error()
	}
	if n := size(item); n > maxItem {
		return nil, fmt.Sprintf("With its keys it has about %d KB, and an item has at most 400.", n>>10)
	}
	return item, ""
}
