package exchange

import (
	"fmt"
	"time"

	"stockroom/store"
)

// nonsenseOfRentals is nonsense for what is rented and who works at a store.
func nonsenseOfRentals(entity store.Entity) (reason string) {
	switch e := entity.(type) {
	case *store.Kayak:
		return first(unknown("Status", e.Status, store.KayakStatuses), negative("DailyRate", e.DailyRate))
	case *store.Rental:
		if reason := first(unsaid("StoreID", e.StoreID), unsaid("PersonID", e.PersonID), unsaid("InventoryID", e.KayakID), undated("Out", e.Out)); reason != "" {
			return reason
		}
		if !e.Returned.IsZero() && e.Returned.Before(e.Out) {
			return fmt.Sprintf("It was returned at %s, before it went out at %s.", e.Returned.Format("2006-01-02 15:04"), e.Out.Format("2006-01-02 15:04"))
		}
		return first(negative("Rate", e.Rate), negative("Charge", e.Charge))
	case *store.ActiveRental:
		return first(undated("Out", e.Out), undated("Due", e.Due), negative("Rate", e.Rate))
	case *store.Employment:
		if reason := first(unsaid("StoreID", e.StoreID), unsaid("PersonID", e.PersonID), undated("From", e.From)); reason != "" {
			return reason
		}
		if !e.To.IsZero() && e.To.Before(e.From) {
			return fmt.Sprintf("It ended on %s, before it began on %s.", e.To.Format("2006-01-02"), e.From.Format("2006-01-02"))
		}
	}
	return ""
}

// unsaid and undated refuse what would stand in no list for want of a key.
func unsaid(name, id string) string {
	if id == "" {
		return fmt.Sprintf("It does not say its %s.", name)
	}
	return ""
}

func undated(name string, t time.Time) string {
	if t.IsZero() {
		return fmt.Sprintf("It does not say its %s.", name)
	}
	return ""
}
