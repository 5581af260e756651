package exchange

import (
	"fmt"
	"slices"
	"strings"

	"stockroom/store"
	"stockroom/store/key"
)

// checkEntity returns a reason to reject an invalid entity, or "". An entity is invalid
// if, for example, an ID has a character that keys cannot contain, or a value is out of
// range.
func checkEntity(entity store.Entity) (reason string) {
	s, _ := sheetOf(entity.EntityType())
	for i := range s.columns {
		if c := &s.columns[i]; isID(c.keyName) {
			if reason := invalidPathID(c.name, entity.KeyValue(c.keyName)); reason != "" {
				return reason
			}
		}
	}
	return checkPlausible(entity)
}

// checkPlausible returns a reason to reject an entity with a value outside its range, or
// "".
func checkPlausible(entity store.Entity) (reason string) {
	switch e := entity.(type) {
	case *store.Customer:
		if e.IsClosed() && e.Closed.Year() < store.FirstClosedYear {
			return fmt.Sprintf("Closed can't be before %d.", store.FirstClosedYear)
		}
		return first(longEmail(e.Email), invalidID("AccountRepID", e.AccountRepID))
	case *store.Product:
		return first(negative("Price", e.Price), invalidID("SKU", e.SKU), below("Weight", e.Weight, 0))
	case *store.WarehouseItem:
		return first(below("Quantity", e.Quantity, 0), below("ReorderPoint", e.ReorderPoint, 0))
	case *store.ExpectedDelivery:
		return first(missingTime("Due", e.Due), below("Quantity", e.Quantity, 1), below("Received", e.Received, 0))
	case *store.Transfer:
		if e.InTransit() < 0 {
			return "Received, WrittenOff and Returned together can't be more than Quantity."
		}
		return first(
			missingTime("Sent", e.Sent), below("Quantity", e.Quantity, 1), below("Received", e.Received, 0), below("Returned", e.Returned, 0),
			missingID("Source", e.SourceID), missingID("Target", e.TargetID),
		)
	case *store.Order:
		return first(
			notOneOf("Status", e.Status, store.OrderStatuses),
			notOneOf("PaymentState", e.PaymentState, store.InvoiceStatuses),
			notOneOf("ShipmentState", e.ShipmentState, store.ShipmentStates),
			negative("Total", e.Total), below("ItemCount", e.ItemCount, 0), invalidID("AccountRepID", e.AccountRepID),
		)
	case *store.OrderItem:
		if e.Quantity < 0 {
			return fmt.Sprintf("Quantity is %d. Negative lines (credit notes) can't be imported. Enter the returned quantity in the Returned column of the original line.", e.Quantity)
		}
		if e.Shipped > e.Quantity || e.Returned > e.Quantity {
			return "Neither Shipped nor Returned can be more than Quantity."
		}
		return first(negative("Price", e.Price), below("Quantity", e.Quantity, 1), below("Shipped", e.Shipped, 0), below("Returned", e.Returned, 0))
	case *store.Invoice:
		if e.Amount.Sign() < 0 {
			return fmt.Sprintf("Amount is %s. Credit notes can't be imported as negative invoices. Enter the amount in the Credit column of the original invoice.", e.Amount)
		}
		return first(notOneOf("Status", e.Status, store.InvoiceStatuses), outOfRange("Number", e.Number, 0, store.MaxDocumentNumber))
	case *store.CreditNote:
		return first(
			missingID("InvoiceID", e.InvoiceID), missingTime("Date", e.Date), notOneOf("Reason", e.Reason, store.CreditReasons), negative("Amount", e.Amount),
			outOfRange("Number", e.Number, 0, store.MaxDocumentNumber), outOfRange("InvoiceNumber", e.InvoiceNumber, 0, store.MaxDocumentNumber),
		)
	case *store.Shipment:
		return notOneOf("Status", e.Status, store.ShipmentStatuses)
	case *store.ShipmentItem:
		reason := first(missingID("ShipmentID", e.ShipmentID), missingID("ProductID", e.ProductID), below("Quantity", e.Quantity, 1))
		if e.EntryID != "" {
			reason = first(reason, invalidID("Entry", e.EntryID), missingID("WarehouseID", e.WarehouseID), invalidID("WarehouseID", e.WarehouseID), missingTime("When", e.When), below("From", e.From, e.Quantity))
		}
		return reason
	case *store.Subscription:
		if e.Status == "" {
			return missing("Status")
		}
		return first(notOneOf("Status", e.Status, store.SubscriptionStatuses), negative("PaymentAmount", e.PaymentAmount), below("Attempt", e.Attempt, 0))
	case *store.SamePerson:
		return outOfRange("The number of Others", len(e.Others), 1, store.MaxSamePerson)
	case *store.Receipt:
		return negative("ProcessedAmount", e.ProcessedAmount)
	case *store.Total:
		return outOfRange("Count", e.Count, -store.MaxCount, store.MaxCount)
	}
	return first(checkStaff(entity), checkRental(entity))
}

// first returns the first reason that is not empty.
func first(reasons ...string) string {
	for _, reason := range reasons {
		if reason != "" {
			return reason
		}
	}
	return ""
}

func missing(name string) string { return fmt.Sprintf("%s is missing.", name) }

func negative(name string, amount interface {
	Sign() int
	String() string
},
) string {
	if amount.Sign() < 0 {
		return fmt.Sprintf("%s is %s. It can't be negative.", name, amount)
	}
	return ""
}

func below(name string, quantity, least int) string {
	if quantity < least {
		return fmt.Sprintf("%s is %d. It must be at least %d.", name, quantity, least)
	}
	return ""
}

func outOfRange(name string, number, least, most int) string {
	if number < least || number > most {
		return fmt.Sprintf("%s is %d. It must be from %d to %d.", name, number, least, most)
	}
	return ""
}

func invalidID(name, id string) string {
	if err := key.CheckID(id); id != "" && err != nil {
		return fmt.Sprintf("%s %s is not valid: %v.", name, store.Quoted(id), err)
	}
	return ""
}

// maxEmail is the maximum length of an email address in bytes:
// https://www.rfc-editor.org/errata/eid1690. It ensures that an address fits into an
// index key.
const maxEmail = 254

func longEmail(email string) string {
	if len(email) > maxEmail {
		return fmt.Sprintf("Email has %d bytes. An address has at most %d.", len(email), maxEmail)
	}
	return ""
}

func notOneOf[S ~string](name string, status S, valid []S) string {
	if status != "" && !slices.Contains(valid, status) {
		return fmt.Sprintf("%s %s is not valid. Use %s.", name, store.Quoted(status), strings.ReplaceAll(strings.Trim(fmt.Sprint(valid), "[]"), " ", ", "))
	}
	return ""
}
