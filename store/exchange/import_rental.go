package exchange

import (
	"context"
	"fmt"
	"slices"
	"time"

	"stockroom/store"
)

// fleet contains what an import knows about kayaks: those in the table, and those in
// the files read so far.
type fleet struct {
	kayaks map[string]*store.Kayak                  // kayaks by ID; nil for a kayak that does not exist
	out    map[string]map[string]store.ActiveRental // active rentals by store ID and kayak ID
}

func newFleet() *fleet {
	return &fleet{map[string]*store.Kayak{}, map[string]map[string]store.ActiveRental{}}
}

// checkRentals rejects kayaks and rentals that contradict the table or each other: for
// example a kayak in two stores, a rental of an unknown kayak, or a second active rental of
// a kayak.
func (i *importer) checkRentals(ctx context.Context, b *Batch) (*Batch, error) {
	if b.Exported {
		return b, nil // exports are consistent, but their rows are not in the order that the check below needs
	}
	if !slices.ContainsFunc(b.Entities, isOfFleet) {
		return b, nil
	}
	if err := i.readFleet(ctx, b.Entities); err != nil {
		return b, err
	}
	checked := &Batch{Rejected: b.Rejected}
	for phase := range 3 {
		for n, entity := range b.Entities {
			if phaseOf(entity) != phase {
				continue
			}
			if reason := i.Known.fleet.check(entity); reason != "" {
				checked.Rejected = append(checked.Rejected, RejectedRow{b.Rows[n], reason})
				continue
			}
			checked.Entities, checked.Rows = append(checked.Entities, entity), append(checked.Rows, b.Rows[n])
		}
	}
	return checked, nil
}

// isOfFleet reports whether an entity is a kayak or a rental.
func isOfFleet(entity store.Entity) bool {
	switch entity.(type) {
	case *store.Kayak, *store.ActiveRental, *store.Rental:
		return true
	}
	return false
}

// phaseOf returns when an entity is checked: 0 for kayaks and all other entities, 1 for
// active rentals, 2 for other rentals.
func phaseOf(entity store.Entity) int {
	switch entity.(type) {
	case *store.ActiveRental:
		return 1
	case *store.Rental:
		return 2
	}
	return 0
}

// readFleet reads the kayaks to which the entities refer, and the active rentals of their
// stores. It reads each kayak and the rentals of each store once per import.
func (i *importer) readFleet(ctx context.Context, entities []store.Entity) error {
	var kayaks, stores []string
	add := func(kayakID, storeID string) {
		if _, known := i.Known.fleet.kayaks[kayakID]; !known {
			i.Known.fleet.kayaks[kayakID] = nil
			kayaks = append(kayaks, kayakID)
		}
		if storeID != "" && i.Known.fleet.out[storeID] == nil {
			i.Known.fleet.out[storeID] = map[string]store.ActiveRental{}
			stores = append(stores, storeID)
		}
	}
	for _, entity := range entities {
		switch e := entity.(type) {
		case *store.Kayak:
			add(e.ID, "")
		case *store.ActiveRental:
			add(e.KayakID, e.StoreID)
		case *store.Rental:
			if e.Returned.IsZero() {
				add(e.KayakID, e.StoreID)
			} else {
				add(e.KayakID, "")
			}
		}
	}
	known, err := i.target.KnownKayaks(ctx, kayaks)
	if err != nil {
		return err
	}
	for _, k := range known {
		i.Known.fleet.kayaks[k.ID] = &k
	}
	for _, id := range stores {
		rentals, err := i.target.OutFrom(ctx, id)
		if err != nil {
			return err
		}
		for _, r := range rentals {
			i.Known.fleet.out[id][r.KayakID] = r
		}
	}
	return nil
}

// check returns a reason to reject an entity that contradicts the fleet, or "". It adds
// accepted kayaks and active rentals to the fleet. It also sets the status of a kayak that
// has none.
func (f *fleet) check(entity store.Entity) (reason string) {
	switch e := entity.(type) {
	case *store.Kayak:
		if e.Status == "" {
			e.Status = store.KayakIn
		}
		if k := f.kayaks[e.ID]; k != nil && k.StoreID != e.StoreID {
			return fmt.Sprintf("Kayak %s is already at store %s. A kayak belongs to one store.", e.ID, k.StoreID)
		} else if k == nil {
			f.kayaks[e.ID] = e
		}
	case *store.ActiveRental:
		k, other := f.kayaks[e.KayakID], f.out[e.StoreID][e.KayakID]
		switch {
		case k == nil:
			return unknownKayak(e.KayakID)
		case k.StoreID != e.StoreID:
			return fmt.Sprintf("Kayak %s belongs to store %s, so it can't be rented out from store %s.", k.ID, k.StoreID, e.StoreID)
		case k.Status != store.KayakOut:
			return fmt.Sprintf("Kayak %s has the status %s. A kayak with an active rental needs the status %s.", k.ID, store.Quoted(k.Status), store.Quoted(store.KayakOut))
		case other.KayakID != "" && other.PersonID != e.PersonID:
			return fmt.Sprintf("Kayak %s is already rented out to %s.", k.ID, other.PersonID)
		}
		f.out[e.StoreID][e.KayakID] = *e
	case *store.Rental:
		if f.kayaks[e.KayakID] == nil {
			return unknownKayak(e.KayakID)
		}
		if e.Returned.IsZero() && f.out[e.StoreID][e.KayakID].RentalID != e.ID {
			return fmt.Sprintf("The rental has no Returned time, and no active rental of kayak %s has this RentalID. Add a Returned time, or an active rental with this RentalID.", e.KayakID)
		}
	}
	return ""
}

func unknownKayak(id string) string {
	return fmt.Sprintf("Unknown kayak %s. Import kayaks before their rentals.", id)
}

// checkRental returns a reason to reject an invalid kayak, rental, rental payment, booking,
// booking day, employment or staff entry, or "".
func checkRental(entity store.Entity) (reason string) {
	switch e := entity.(type) {
	case *store.Kayak:
		return first(notOneOf("Status", e.Status, store.KayakStatuses), negative("DailyRate", e.DailyRate), rateTooHigh("DailyRate", e.DailyRate))
	case *store.Rental:
		if reason := first(missingID("StoreID", e.StoreID), missingID("PersonID", e.PersonID), missingID("InventoryID", e.KayakID), missingTime("Out", e.Out)); reason != "" {
			return reason
		}
		if !e.Returned.IsZero() && e.Returned.Before(e.Out) {
			return fmt.Sprintf("Returned (%s) is before Out (%s).", e.Returned.Format("2006-01-02 15:04"), e.Out.Format("2006-01-02 15:04"))
		}
		return first(negative("Rate", e.Rate), negative("Charge", e.Charge), negative("Deposit", e.Deposit), negative("DepositKept", e.DepositKept))
	case *store.ActiveRental:
		return first(missingTime("Out", e.Out), missingTime("Due", e.Due), negative("Rate", e.Rate), rateTooHigh("Rate", e.Rate), negative("Deposit", e.Deposit))
	case *store.RentalPayment:
		return first(missingID("StoreID", e.StoreID), missingID("PersonID", e.PersonID), missingTime("Day", e.Day), missingTime("At", e.At),
			notOneOf("Kind", e.Kind, store.RentalPaymentKinds), notOneOf("Method", e.Method, store.PayMethods))
	case *store.Booking:
		if reason := first(missingID("StoreID", e.StoreID), missingID("PersonID", e.PersonID), missingID("InventoryID", e.KayakID), missingTime("From", e.From), missingTime("To", e.To)); reason != "" {
			return reason
		}
		if e.To.Before(e.From) || e.Days() > store.MaxBookingDays {
			return fmt.Sprintf("From is %s and To is %s. A booking lasts 1 to %d days.", e.From.Format(time.DateOnly), e.To.Format(time.DateOnly), store.MaxBookingDays)
		}
		return notOneOf("Status", e.Status, store.BookingStatuses)
	case *store.BookingDay:
		if reason := first(missingID("BookingID", e.BookingID), missingTime("Day", e.Day), missingTime("From", e.From), missingTime("To", e.To)); reason != "" {
			return reason
		}
		if e.Day.Before(e.From) || e.Day.After(e.To) {
			return fmt.Sprintf("Day is %s. It must be between From (%s) and To (%s).", e.Day.Format(time.DateOnly), e.From.Format(time.DateOnly), e.To.Format(time.DateOnly))
		}
	case *store.Employment:
		return first(missingID("StoreID", e.StoreID), missingID("PersonID", e.PersonID), missingTime("From", e.From), endsEarly(e.From, e.To))
	case *store.StoreEmployee:
		return endsEarly(e.From, e.To)
	}
	return ""
}

// endsEarly returns a reason to reject an employment whose last day is before its first
// day, or "".
func endsEarly(from, to time.Time) string {
	if to.IsZero() || !to.Before(from) {
		return ""
	}
	return fmt.Sprintf("To (%s) is before From (%s).", to.Format(time.DateOnly), from.Format(time.DateOnly))
}

// missingID and missingTime return a reason to reject a row that lacks a key value, or "".
func missingID(name, id string) string {
	if id == "" {
		return missing(name)
	}
	return ""
}

func missingTime(name string, t time.Time) string {
	if t.IsZero() {
		return missing(name)
	}
	return ""
}

// rateTooHigh returns a reason if a daily rate is above the maximum.
func rateTooHigh(name string, rate store.Amount) string {
	if rate.Compare(store.MaxDailyRate) > 0 {
		return fmt.Sprintf("%s is %s. It can be at most %s.", name, rate, store.MaxDailyRateText)
	}
	return ""
}
