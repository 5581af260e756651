package exchange

import (
	"fmt"
	"time"

	"stockroom/store"
)

// Limits of dates. The date of something that has happened, such as an order, must not be
// after today, because lists of orders end today. A due date may be later.
const (
	maxAhead    = 48 * time.Hour // maximum time after the start of today (UTC); more than a day, because of time zones
	maxDueYears = 10
)

// futureDate returns a reason to reject an entity with a date too far in the future,
// or "".
func futureDate(entity store.Entity, today time.Time) (reason string) {
	past := func(name string, date time.Time) string {
		if date.Sub(today) < maxAhead {
			return ""
		}
		return fmt.Sprintf("%s %s is in the future. Enter when this happened.", name, date.Format(time.DateOnly))
	}
	due := func(name string, date time.Time) string {
		if !date.After(today.AddDate(maxDueYears, 0, 0)) {
			return ""
		}
		return fmt.Sprintf("%s %s is more than %d years ahead.", name, date.Format(time.DateOnly), maxDueYears)
	}
	switch e := entity.(type) {
	case *store.Order:
		return past("Date", e.Date)
	case *store.OrderItem:
		return past("Date", e.Date)
	case *store.Invoice:
		for i := range e.Payments {
			if reason := past("Received", e.Payments[i].Received); reason != "" {
				return reason
			}
		}
		return first(past("Date", e.Date), due("DueDate", e.DueDate))
	case *store.CreditNote:
		return past("Date", e.Date)
	case *store.Shipment:
		return past("Date", e.Date)
	case *store.ShipmentItem:
		return past("When", e.When)
	case *store.StockMove:
		return past("When", e.When)
	case *store.ExpectedDelivery:
		return due("Due", e.Due)
	case *store.Transfer:
		return past("Sent", e.Sent)
	case *store.Receipt:
		return past("ProcessedDate", e.ProcessedDate)
	case *store.Subscription:
		return first(due("NextPaymentDate", e.NextPaymentDate), due("NextAttemptDate", e.NextAttemptDate))
	case *store.Rental:
		return first(past("Out", e.Out), past("Returned", e.Returned), due("Due", e.Due))
	case *store.RentalPayment:
		return past("At", e.At)
	case *store.Booking:
		return due("To", e.To)
	case *store.ActiveRental:
		return first(past("Out", e.Out), due("Due", e.Due))
	}
	return ""
}
