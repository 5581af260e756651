package store

import (
	"context"
	"iter"
	"slices"
	"strings"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// A closed customer keeps its page and its history, and searches find it. Forms do not
// offer it, and new orders, subscriptions, rentals and bookings reject it.

// FirstClosedYear is the first year in which an imported customer can have been closed. The
// list of closed customers makes one request for each year from then on.
const FirstClosedYear = 2000

// IsClosed reports whether the customer is closed.
func (c *Customer) IsClosed() bool { return !c.Closed.IsZero() }

// errClosed returns the Invalid error for a form in which the user chose a closed customer.
func errClosed(field, name, id string) *Error {
	return InvalidField(field, "%s is a closed customer. Reopen the customer first.", nameOrID(name, id))
}

// ErrClosed returns the Invalid error for a form in which the user chose c, a closed
// customer.
func (c Choice) ErrClosed(field string) *Error { return errClosed(field, c.Name, c.ID) }

// requireOpen returns Invalid if the renter is a closed customer.
func (r *Renter) requireOpen() error {
	if r.Closed {
		return errClosed(fieldPerson, r.Name, r.ID)
	}
	return nil
}

// openCustomer returns the customer of an account, or nil if the customer does not exist. It
// returns Invalid if the customer is closed.
func (a Access) openCustomer(ctx context.Context, id string) (*Customer, error) {
	c, err := readConsistently[*Customer](ctx, a.store, getCustomer, key.Map{"customerID": id})
	switch {
	case KindOf(err) == NotFound:
		return nil, nil //nolint:nilnil // an account needs no customer
	case err != nil:
		return nil, err
	case c.IsClosed():
		return nil, errClosed("", c.Name, id)
	}
	return c, nil
}

// requireStillOpen makes the change fail with Conflict if the customer has been closed since
// it was read. It increments the customer's version, so that a simultaneous CloseCustomer
// fails. An open form that edits the customer fails too, although no value has changed.
// requireStillOpen does nothing if customer is nil.
func (c *change) requireStillOpen(customer *Customer) {
	if customer != nil {
		c.Add(customer, table.Addition{Existing: true, Absent: []string{attrClosed}})
	}
}

// closedWords returns a search word with the day of closing, by which closed customers are
// listed. It returns none for an open customer, or after the personal data is erased.
func closedWords(c *Customer) []*SearchWord {
	if !c.IsClosed() || withoutPerson(c) == nil {
		return nil
	}
	return codeWords(SearchWord{Group: wordsOfClosed, Type: typeCustomer, ID: c.ID}, c.Closed.UTC().Format(time.DateOnly))
}

// closedFields are the values that closing changes. The history shows them. An undo
// restores the state, but not the time: the undo of a reopening closes the customer at the
// present time. Events of earlier program versions contain no time of closing, only the
// state.
var closedFields = func() Fields[Customer] {
	state := newField(InputText, "closed", "State", func(c *Customer) *time.Time { return &c.Closed })
	state.format = func(c *Customer) string { return closedText(c.IsClosed()) }
	state.parse = func(c *Customer, text string) error {
		c.Closed = time.Time{}
		if text == closedText(true) {
			c.Closed = unknownClosing
		}
		return nil
	}
	at := newField(InputText, "closed-at", "Closed on", func(c *Customer) *time.Time { return &c.Closed })
	at.format = func(c *Customer) string {
		if !c.IsClosed() {
			return ""
		}
		return c.Closed.UTC().Format(time.RFC3339)
	}
	at.parse = func(c *Customer, text string) (err error) {
		if c.Closed = (time.Time{}); text != "" {
			c.Closed, err = time.Parse(time.RFC3339, text)
		}
		return err
	}
	return Fields[Customer]{state, at}
}()

// unknownClosing is the value of Customer.Closed if the event of the closing contains no
// time.
var unknownClosing = time.Unix(0, 0).UTC()

func closedText(closed bool) string {
	if closed {
		return "closed"
	}
	return "open"
}

// CloseCustomer closes or reopens a customer. It returns NotFound, or Invalid if the reason
// is not valid. It returns Conflict if the form showed another version, if the customer is
// already closed or open, or if a customer to close has open records; see OpenMatters.
//
// An order, rental or booking that is created at the same moment can belong to a customer who
// is now closed; see docs/decisions.md. It is completed like any other, and the customer's
// data cannot be erased while it is open.
func (a Access) CloseCustomer(ctx context.Context, how Archiving) error {
	before, err := a.CustomerForChange(ctx, how.ID)
	if err != nil {
		return err
	}
	c, err := a.change(ctx, how.Token)
	if err != nil {
		return err
	}
	event := Event{Partition: partitionOf(getCustomer, "customerID", how.ID), What: EventCustomerClosed, Why: strings.TrimSpace(how.Why)}
	if how.Version != before.Version {
		return c.rejectOutdated(ctx, event.Partition)
	}
	if before.IsClosed() != how.Restore {
		return fail(Conflict, "The customer is already %s.", closedText(!how.Restore))
	}
	after := *before
	if how.Restore {
		event.What, after.Closed = EventCustomerReopened, time.Time{}
	} else {
		after.Closed = a.store.now().UTC().Truncate(time.Second)
		open, err := a.OpenMatters(ctx, how.ID)
		if err != nil {
			return err
		}
		if len(open) > 0 {
			return fail(Conflict, "This customer can't be closed yet: %s", open[0].Reason)
		}
	}
	if err := checkLine("why", &event.Why); err != nil {
		return err
	}
	event.Values = eventValues(closedFields.values(before, &after, "")...)
	c.recordEvent(event)
	c.updateWords(before, &after)
	c.replaceNext(&after, &after.Version)
	return c.Commit(ctx)
}

// OpenMatters returns up to maxBlockers reasons why a customer cannot be closed: open
// orders, invoices with a balance, active rentals, unpaid rental charges, open bookings,
// subscriptions and employments. The rules are those of ErasePerson. OpenMatters reads
// the newest MaxLimit records of each kind, with seven requests. It does not say what is
// open at stores that the user does not manage.
func (a Access) OpenMatters(ctx context.Context, id string) ([]EraseBlocker, error) {
	if err := a.require(EditCustomers); err != nil {
		return nil, err
	}
	blocks, err := a.store.blockers(ctx)
	if err != nil {
		return nil, err
	}
	everything := Page{Limit: MaxLimit}
	orders, err := a.OrdersOfCustomer(ctx, id, DateRange{}, everything)
	if err != nil {
		return nil, err
	}
	invoices, err := a.InvoicesOfCustomer(ctx, id, DateRange{}, everything)
	if err != nil {
		return nil, err
	}
	open := slices.Concat(blockersIn(orders.Rows, blocks), blockersIn(invoices.Rows, blocks))
	person := key.Map{"personULID": id}
	for _, q := range []table.Query{
		{Pattern: getActiveRentalsByPerson, Values: person},
		{Pattern: getPaymentsByRenter, Values: person},
		{Pattern: getBookingsByPerson, Values: person},
		{Pattern: getSubscriptions, Values: key.Map{"accountID": id}},
		{Pattern: getEmploymentsByPerson, Values: person},
	} {
		found, err := a.store.page(ctx, q, everything)
		if err != nil {
			return nil, err
		}
		for _, row := range found.Rows {
			e, err := schema.DecodeRow(row)
			if err != nil {
				return nil, err
			}
			b, ok := blocks(e)
			if storeID := storeOf(e); ok && storeID != "" && !a.user.InChargeOfStore(storeID) {
				b = EraseBlocker{Reason: "Something is still open at a store that you do not manage."}
			}
			if ok && !slices.Contains(open, b) {
				open = append(open, b)
			}
		}
	}
	return open[:min(len(open), maxBlockers)], nil
}

// storeOf returns the ID of the store of a rental, rental payment, booking or employment, or
// "" for other records.
func storeOf(e Entity) string {
	switch e := e.(type) {
	case *ActiveRental:
		return e.StoreID
	case *RentalPayment:
		return e.StoreID
	case *Booking:
		return e.StoreID
	case *Employment:
		return e.StoreID
	}
	return ""
}

func blockersIn[T any, E entity[T]](rows []T, blocks func(Entity) (EraseBlocker, bool)) (open []EraseBlocker) {
	for i := range rows {
		if b, ok := blocks(E(&rows[i])); ok {
			open = append(open, b)
		}
	}
	return open
}

// closedBefore yields the search words of customers who were closed on the day last or
// earlier and are not erased, by day of closing.
func (s *Store) closedBefore(ctx context.Context, last time.Time) iter.Seq2[SearchWord, error] {
	return func(yield func(SearchWord, error) bool) {
		for year := FirstClosedYear; year <= last.Year(); year++ {
			q := table.Query{Pattern: getByWords, Values: closedIn(year), Shards: wordsOfClosed.shards()}
			for row, err := range Each(func(page Page) (List[Row], error) { return s.page(ctx, q, page) }) {
				var w SearchWord
				if err == nil {
					err = decodeWord(row, &w)
				}
				if err == nil && w.Words > last.Format(time.DateOnly) {
					return
				}
				if !yield(w, err) || err != nil {
					return
				}
			}
		}
	}
}
