package store

import (
	"context"
	"slices"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// MaxTakingsDays is the maximum number of days for which Takings lists payments. Each day
// is a partition, which needs at least one Query.
const MaxTakingsDays = 31

// Takings lists the rental payments of a store from one day to another. It reads each day in
// the order of the IDs, and sorts each page by time, because imported IDs may be in another
// order. It returns NotFound if the user does not manage the store, and Invalid if there are
// more than MaxTakingsDays days, or none.
func (a Access) Takings(ctx context.Context, storeID string, days DateRange, page Page) (List[RentalPayment], error) {
	if err := a.requireStore(storeID); err != nil {
		return List[RentalPayment]{}, err
	}
	if n := daysBetween(days.From, days.To) + 1; n < 1 || n > MaxTakingsDays {
		return List[RentalPayment]{}, InvalidField("to", "Enter at most %d days, the first day first.", MaxTakingsDays)
	}
	q := table.Query{Pattern: getTakings, Values: key.Map{"storeULID": storeID}, Segment: "day"}
	for day := days.From; !day.After(days.To); day = day.AddDate(0, 0, 1) {
		q.Segments = append(q.Segments, calendarDay(day))
	}
	found, err := list(ctx, a.store, q, page, decodeAs[RentalPayment])
	slices.SortStableFunc(found.Rows, func(a, b RentalPayment) int { return a.At.Compare(b.At) })
	return found, err
}

// UnpaidCharges lists a store's charges with PayLater that are not paid yet, oldest
// first.
func (a Access) UnpaidCharges(ctx context.Context, storeID string, page Page) (List[RentalPayment], error) {
	return listOfStore(ctx, a, getUnpaidRentals, storeID, page, decodeAs[RentalPayment])
}

// UnpaidCharge returns a charge with PayLater, even if it has been paid since. It returns
// NotFound if the store has no such charge or the user does not manage the store.
func (a Access) UnpaidCharge(ctx context.Context, storeID string, day time.Time, id string) (*RentalPayment, error) {
	if err := a.requireRentals(storeID); err != nil {
		return nil, err
	}
	return a.rentalCharge(ctx, storeID, day, id)
}

// RentalPaymentsOf lists the rental payments of a person, newest first. Managers see
// only payments at their own stores, grouped by store.
func (a Access) RentalPaymentsOf(ctx context.Context, personID string, page Page) (List[RentalPayment], error) {
	if err := a.require(Browse); err != nil {
		return List[RentalPayment]{}, err
	}
	q := table.Query{Pattern: getPaymentsByRenter, Values: key.Map{"personULID": personID}}
	if own, limited := a.ownStores(); limited {
		q = inStores(getPaymentsByRenterAtStore, q.Values, own)
	}
	return listReadable(ctx, a, q, page, decodeAs[RentalPayment])
}

// TakingsSum adds up the rental payments of a store on certain days.
type TakingsSum struct {
	Payments int
	Card     MethodSum
	Cash     MethodSum
	Unpaid   Amount // charges of these days that are still to be paid
	Kept     Amount // deposits that were kept; their money was taken at check-out
	Complete bool   // false if there are more payments than could be read
}

// MethodSum is the money that was taken with one method.
type MethodSum struct {
	Charges  Amount
	Deposits Amount // deposits taken
	Returned Amount // deposits returned, as a negative amount
}

// Total returns the sum of the method.
func (m MethodSum) Total() Amount { return m.Charges.Plus(m.Deposits).Plus(m.Returned) }

// Total returns the money that the store took on these days by card and in cash, minus the
// deposits that it returned.
func (s *TakingsSum) Total() Amount { return s.Card.Total().Plus(s.Cash.Total()) }

func (s *TakingsSum) add(p *RentalPayment) {
	s.Payments++
	of := &s.Card
	switch {
	case p.IsUnpaid():
		s.Unpaid = s.Unpaid.Plus(p.Amount)
		return
	case p.Method == PayLater:
		return
	case p.Kind == DepositKept:
		s.Kept = s.Kept.Plus(p.Amount)
		return
	case p.Method == PayByCash:
		of = &s.Cash
	}
	switch p.Kind {
	case RentalCharge:
		of.Charges = of.Charges.Plus(p.Amount)
	case DepositTaken:
		of.Deposits = of.Deposits.Plus(p.Amount)
	case DepositReturned:
		of.Returned = of.Returned.Plus(p.Amount)
	}
}

// maxTakings is the maximum number of payments that TakingsOfDays adds up.
const maxTakings = 2000

// TakingsOfDays adds up the rental payments of a store from one day to another, up to
// maxTakings payments. If there are more, the result is not Complete. It returns the errors
// of Takings.
func (a Access) TakingsOfDays(ctx context.Context, storeID string, days DateRange) (TakingsSum, error) {
	sum, page := TakingsSum{}, Page{Limit: MaxLimit}
	for range maxTakings / MaxLimit {
		payments, err := a.Takings(ctx, storeID, days, page)
		if err != nil {
			return TakingsSum{}, err
		}
		for i := range payments.Rows {
			sum.add(&payments.Rows[i])
		}
		if page.At = payments.Next; page.At == nil {
			sum.Complete = true
			break
		}
	}
	return sum, nil
}
