package handlers

import (
	"context"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"stockroom/store"
	"stockroom/views"
)

// Pages of lists, for parts that show a count.
var (
	upToMax   = store.Page{Limit: maxCount}
	countOnly = store.Page{Limit: maxCount, Count: true} // for lists of which only the number of rows is used
)

// countOf counts the rows of a list that was read with upToMax or countOnly.
func countOf[T any](found store.List[T]) views.Count {
	return views.Count{N: min(maxCount, len(found.Rows)), More: found.Next != nil || len(found.Rows) > maxCount}
}

// firstOf returns the first row of a list, or the zero value if the list is empty.
func firstOf[T any](found store.List[T]) (first T) {
	if len(found.Rows) > 0 {
		first = found.Rows[0]
	}
	return first
}

// counted returns a part with the number of rows of a list. Pass a function that reads
// the page countOnly of the list.
func counted[T any](name string, cost int, read func(context.Context) (store.List[T], error), set func(*views.Today, views.Count)) todayPart {
	return todayPart{name: name, cost: cost, read: showOf(read, func(page *views.Today, found store.List[T]) { set(page, countOf(found)) })}
}

// toShipPart returns the part with the orders that are paid but not shipped.
func (r *request) toShipPart(list int) todayPart {
	return todayPart{name: "Orders to ship", cost: list, read: showOf(
		func(ctx context.Context) (store.List[store.Order], error) {
			return r.shop.Orders(ctx, store.OrderFilter{Status: store.OrderPaid}, false, upToMax)
		},
		func(page *views.Today, found store.List[store.Order]) {
			n := countOf(found)
			page.PaidOrders, page.OldestToShip = &n, firstOf(found).Date
		})}
}

// salesParts returns the parts about orders and invoices.
func (r *request) salesParts(list int) []todayPart {
	return []todayPart{
		counted("Open orders", list, func(ctx context.Context) (store.List[store.Order], error) {
			return r.shop.Orders(ctx, store.OrderFilter{Status: store.OrderOpen}, false, countOnly)
		}, func(page *views.Today, n views.Count) { page.OpenOrders = &n }),
		r.invoicePart("Unpaid invoices", list, store.InvoiceUnpaid, func(page *views.Today, found views.InvoiceCount) { page.Unpaid = &found }),
		r.invoicePart("Partly paid invoices", list, store.InvoicePartial, func(page *views.Today, found views.InvoiceCount) { page.PartlyPaid = &found }),
		r.toRefundPart(list),
	}
}

// toRefundPart returns the part with the invoices that have an amount to refund.
func (r *request) toRefundPart(list int) todayPart {
	return todayPart{name: "Invoices to refund", cost: list, read: showOf(
		func(ctx context.Context) (views.RefundCount, error) {
			found, err := r.shop.Invoices(ctx, store.InvoiceFilter{Status: store.InvoiceToRefund}, false, upToMax)
			count := views.RefundCount{Count: countOf(found)}
			for i := range found.Rows {
				count.Amount = count.Amount.Minus(found.Rows[i].BalanceDue().Sum())
			}
			return count, err
		},
		func(page *views.Today, found views.RefundCount) { page.ToRefund = &found })}
}

func (r *request) invoicePart(name string, list int, status store.InvoiceStatus, set func(*views.Today, views.InvoiceCount)) todayPart {
	return todayPart{name: name, cost: list, read: showOf(
		func(ctx context.Context) (views.InvoiceCount, error) {
			found, err := r.shop.Invoices(ctx, store.InvoiceFilter{Status: status}, false, upToMax)
			count := views.InvoiceCount{Count: countOf(found)}
			for i := range found.Rows {
				if invoice := &found.Rows[i]; invoice.IsOverdue(r.now(), r.settings.Zone()) {
					count.Overdue, count.Due = count.Overdue+1, count.Due.Plus(invoice.BalanceDue().Sum())
				}
			}
			return count, err
		}, set)}
}

// paymentParts returns the parts about subscriptions.
func (r *request) paymentParts(list int, day time.Time) []todayPart {
	due := func(job store.JobName) func(context.Context) (store.List[store.Subscription], error) {
		return func(ctx context.Context) (store.List[store.Subscription], error) {
			return r.shop.Due(ctx, job, []time.Time{day}, countOnly)
		}
	}
	type subscription = store.Subscription
	return []todayPart{
		counted("Subscriptions past due", list, func(ctx context.Context) (store.List[subscription], error) {
			return r.shop.Subscriptions(ctx, store.SubscriptionPastDue, countOnly)
		}, func(page *views.Today, n views.Count) { page.Recurring.PastDue = &n }),
		counted("Payments not charged", list, func(ctx context.Context) (store.List[subscription], error) {
			return r.shop.Behind(ctx, countOnly)
		}, func(page *views.Today, n views.Count) { page.Recurring.Behind = &n }),
		counted("Payments due", list, due(store.PaymentsJob),
			func(page *views.Today, n views.Count) { page.Recurring.Payments = &n }),
		counted("Reminders due", list, due(store.RemindersJob),
			func(page *views.Today, n views.Count) { page.Recurring.Reminders = &n }),
		{name: "Payments failed", cost: 1, read: showOf(
			func(ctx context.Context) (failed int, err error) {
				runs, err := r.shop.RunsOfDay(ctx, store.PaymentsJob, day)
				for i := range runs {
					failed += runs[i].Failed + runs[i].Unknown + runs[i].Declined
				}
				return failed, err
			},
			func(page *views.Today, found int) { page.Recurring.Failed = &found })},
	}
}

// rentalParts returns the parts about rentals. For managers, they cover only their own
// stores.
func (r *request) rentalParts(list int, day time.Time) []todayPart {
	cost := list
	if !r.user.InChargeOfAll() {
		cost = len(r.user.Stores)
	}
	parts := []todayPart{
		{name: "Kayaks due back", cost: cost, read: showOf(
			func(ctx context.Context) (store.List[store.ActiveRental], error) {
				return r.shop.RentalsDue(ctx, time.Time{}, day, upToMax)
			},
			func(page *views.Today, found store.List[store.ActiveRental]) { showKayaksDue(page, found, day) })},
		r.takingsPart(day),
	}
	if !r.user.InChargeOfAll() {
		parts = append(parts, r.pickUpPart(day))
	}
	return parts
}

// pickUpPart returns the part with the bookings of the manager's stores that begin on the
// day, or that began earlier and were not picked up.
func (r *request) pickUpPart(day time.Time) todayPart {
	return todayPart{name: "Bookings to check out", cost: len(r.user.Stores), read: showOf(
		func(ctx context.Context) (store.List[store.Booking], error) {
			return r.shop.BookingsToPickUp(ctx, day, store.Page{Limit: pickUpRows, Partial: true})
		},
		func(page *views.Today, found store.List[store.Booking]) {
			page.PickUps, page.MorePickUps = found.Rows, found.Next != nil
		})}
}

// showKayaksDue sets the number of kayaks that are due back on the day, and of those that
// were due earlier. The rows are sorted by due day. If all rows that were read were due
// earlier and the list has more rows, the number for the day is unknown.
func showKayaksDue(page *views.Today, found store.List[store.ActiveRental], day time.Time) {
	overdue, all := views.Count{N: len(found.Rows)}, countOf(found)
	if at := slices.IndexFunc(found.Rows, func(r store.ActiveRental) bool { return !r.Due.Before(day) }); at >= 0 {
		overdue.N = at
	}
	if overdue.N < all.N {
		page.KayaksDue = &views.Count{N: all.N - overdue.N, More: all.More}
	} else if !all.More {
		page.KayaksDue = &views.Count{}
	}
	overdue.More = overdue.N > maxCount || overdue.N == all.N && all.More
	overdue.N = min(maxCount, overdue.N)
	page.KayaksOverdue, page.LongestOverdue = &overdue, firstOf(found)
}

// takingsPart returns the part with the rental takings of the day. For managers, these are
// the charges and deposits of their own stores. For other users, they are only the charges,
// because reading the deposits would take another request.
func (r *request) takingsPart(day time.Time) todayPart {
	part := todayPart{name: "Rental takings", cost: 1}
	read := func(ctx context.Context) (sum store.Sum, err error) {
		totals, err := r.shop.Totals(ctx, store.TotalRentals, store.DateRange{From: day, To: day})
		for _, t := range totals {
			sum = sum.Plus(t.Amount)
		}
		return sum, err
	}
	if !r.user.InChargeOfAll() {
		part.cost = len(r.user.Stores)
		read = func(ctx context.Context) (store.Sum, error) { return r.takingsOfOwnStores(ctx, day) }
	}
	part.read = showOf(read, func(page *views.Today, sum store.Sum) { page.Takings = &sum })
	return part
}

// takingsOfOwnStores returns the sum of the takings of the manager's stores on a day.
func (r *request) takingsOfOwnStores(ctx context.Context, day time.Time) (store.Sum, error) {
	var mu sync.Mutex
	var sum store.Sum
	reads, ctx := errgroup.WithContext(ctx)
	for _, id := range r.user.Stores {
		reads.Go(func() error {
			takings, err := r.shop.TakingsOfDays(ctx, id, store.DateRange{From: day, To: day})
			mu.Lock()
			defer mu.Unlock()
			sum = sum.Plus(takings.Total().Sum())
			return err
		})
	}
	return sum, reads.Wait()
}
