package storetest

import (
	"fmt"
	"time"

	"stockroom/store"
)

// StoreDay is a store, a calendar day and a payment method.
type StoreDay struct {
	StoreID string
	Day     string // 2006-01-02
	Method  store.PayMethod
}

// TakingsFromRentals adds up the money that stores took each day with each payment
// method, from the rentals alone: paid charges, and deposits that were taken and
// returned.
func TakingsFromRentals(entities []store.Entity, zone *time.Location) map[StoreDay]store.Amount {
	sums := map[StoreDay]store.Amount{}
	add := func(r *store.Rental, at time.Time, method store.PayMethod, amount store.Amount) {
		if amount.Sign() != 0 && method != store.PayLater && !at.IsZero() {
			day := StoreDay{r.StoreID, at.In(zone).Format(time.DateOnly), method}
			sums[day] = sums[day].Plus(amount)
		}
	}
	for _, entity := range entities {
		if r, ok := entity.(*store.Rental); ok {
			add(r, r.Paid, r.PaidBy, r.Charge)
			add(r, r.Out, r.DepositBy, r.Deposit)
			add(r, r.Returned, r.DepositBy, r.DepositKept.Minus(r.Deposit))
		}
	}
	return sums
}

// TakingsFromPayments adds up the money that stores took each day with each payment
// method, from the rental payments alone.
func TakingsFromPayments(entities []store.Entity) map[StoreDay]store.Amount {
	sums := map[StoreDay]store.Amount{}
	for _, entity := range entities {
		p, ok := entity.(*store.RentalPayment)
		if !ok || p.Method == store.PayLater || p.Kind == store.DepositKept {
			continue
		}
		day := StoreDay{p.StoreID, p.Day.Format(time.DateOnly), p.Method}
		sums[day] = sums[day].Plus(p.Amount)
	}
	return sums
}

// TakingsDiffer lists the keys for which the two sums differ.
func TakingsDiffer(got, want map[StoreDay]store.Amount) []string {
	var differ []string
	for day := range want {
		if got[day].Compare(want[day]) != 0 {
			differ = append(differ, fmt.Sprintf("%+v: got %s, want %s", day, got[day], want[day]))
		}
	}
	for day := range got {
		if _, found := want[day]; !found && got[day].Sign() != 0 {
			differ = append(differ, fmt.Sprintf("%+v: got %s, want nothing", day, got[day]))
		}
	}
	return differ
}
