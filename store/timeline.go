package store

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/oklog/ulid/v2"
	"golang.org/x/sync/errgroup"

	"stockroom/store/key"
	"stockroom/store/table"
)

// A timeline merges several lists that have different keys but are all sorted by
// time. The cursor of a timeline is an entry. The next page reads each list from the
// time of this entry.

// timelineSource is one of the lists that a timeline merges, newest first.
type timelineSource struct {
	query table.Query
	ends  func(time.Time) string // formats a time as in the sort keys, for upTo; KeyEnd is appended to the result
	entry func(Row) (TimelineEntry, error)
}

// upTo returns a sort key after all keys of the second of t and before all later
// keys.
func (l *timelineSource) upTo(t time.Time) (string, error) {
	end := l.ends(t)
	values := maps.Clone(l.query.Values)
	values["to"] = end
	c, err := l.query.Pattern.Condition(values)
	if c.To != "" {
		return c.To, err
	}
	return c.SK + end + table.KeyEnd, err
}

// secondULID returns the first ULID of the next second.
func secondULID(t time.Time) string {
	var next ulid.ULID
	if err := next.SetTime(ulid.Timestamp(t.Add(time.Second))); err != nil {
		return table.KeyEnd // a key after all others; the ULID overflows only after the year 10889
	}
	return next.String()
}

// timelineSources returns the lists that the timeline of a person merges. For a manager,
// they contain separate lists of rentals and payments for each of the manager's stores.
func (a Access) timelineSources(personID string) []timelineSource {
	of := func(p *Pattern, values key.Map) table.Query {
		return table.Query{Pattern: p, Values: values, Reverse: !p.Newest}
	}
	ever := key.Map{"customerID": personID, "from": key.MinDate, "to": key.MaxDate}
	lists := []timelineSource{
		{of(getCustomerOrders, ever), key.Time, entryOf(decodeOrderRow)},
		{of(getCustomerInvoices, ever), key.Time, entryOf(decodeAs[Invoice])},
		{of(getCustomerCreditNotes, ever), key.Time, entryOf(decodeAs[CreditNote])},
		{of(getEventsOfThing, key.Map{"partition": partitionOf(getCustomer, "customerID", personID)}), secondULID, entryOf(decodeAs[Event])},
		{of(getReceipts, key.Map{"accountID": personID}), calendarDay, entryOf(decodeAs[Receipt])},
		{of(getEventsOfThing, key.Map{"partition": accountPartition(personID)}), secondULID, entryOf(decodeAs[Event])},
	}
	stores, limited := a.ownStores()
	if !limited {
		all := of(getRentalsByPersonNewest, key.Map{"personULID": personID})
		paid := of(getPaymentsByRenter, key.Map{"personULID": personID})
		return append(lists, timelineSource{all, key.Time, entryOf(decodeAs[Rental])}, timelineSource{paid, key.Time, entryOf(decodeAs[RentalPayment])})
	}
	for _, id := range stores {
		own := of(getRentalsByPersonAndStore, key.Map{"personULID": personID, "storeULID": id})
		paid := of(getPaymentsByRenterAtStore, key.Map{"personULID": personID, "storeULID": id})
		lists = append(lists, timelineSource{own, key.Time, entryOf(decodeAs[Rental])}, timelineSource{paid, key.Time, entryOf(decodeAs[RentalPayment])})
	}
	return lists
}

func entryOf[T any, E timelineRow[T]](decode func(Row, *T) error) func(Row) (TimelineEntry, error) {
	return func(row Row) (TimelineEntry, error) {
		var decoded T
		err := decode(row, &decoded)
		return E(&decoded).TimelineEntry(), err
	}
}

// Timeline lists the orders, payments, rentals and other events of a person, newest
// first. Each page reads all lists of the person, usually with one request per list.
func (a Access) Timeline(ctx context.Context, personID string, page Page) (List[TimelineEntry], error) {
	if err := a.require(Browse); err != nil {
		return List[TimelineEntry]{}, err
	}
	limit := page.Rows()
	var from *TimelineEntry
	if page.At != nil {
		m, err := entryAt(page.At)
		if err != nil {
			return List[TimelineEntry]{}, err
		}
		from = &m
	}
	back := page.At != nil && page.At.Back
	lists := a.timelineSources(personID)
	entries := make([][]TimelineEntry, len(lists))
	reads, readCtx := errgroup.WithContext(ctx)
	for i, l := range lists {
		reads.Go(func() (err error) {
			entries[i], err = a.readEntries(readCtx, l, from, back, limit+1)
			return err
		})
	}
	if err := reads.Wait(); err != nil {
		return List[TimelineEntry]{}, err
	}
	return pageOfEntries(slices.Concat(entries...), page.At, limit), nil
}

// readEntries reads at least the wanted number of entries of one list. They come after
// the entry in the argument from or, if the argument back is true, before it. The lists
// sort entries of the same second differently, so readEntries reads the first and last
// second completely.
func (a Access) readEntries(ctx context.Context, l timelineSource, from *TimelineEntry, back bool, want int) ([]TimelineEntry, error) {
	page := Page{Limit: want + 1}
	if from != nil {
		end := from.When
		if back {
			end = end.Add(-time.Second)
		}
		sk, err := l.upTo(end)
		if err != nil {
			return nil, err
		}
		page.At = &Position{SK: sk, ItemPK: table.KeyEnd, ItemSK: table.KeyEnd, Back: back}
	}
	var entries []TimelineEntry
	for {
		found, err := a.store.page(ctx, l.query, page)
		if err != nil {
			return nil, err
		}
		var last TimelineEntry
		for i, row := range found.Rows {
			m, err := l.entry(row)
			if err != nil {
				return nil, err
			}
			if i == 0 || !back {
				last = m // the entry farthest from the cursor so far
			}
			if from == nil || (compareEntries(m, *from) < 0) == back && compareEntries(m, *from) != 0 {
				entries = append(entries, m)
			}
		}
		page.At = found.Next
		if back {
			page.At = found.Prev
		}
		if page.At == nil || len(entries) >= want && wholeSeconds(entries, want, last, back) {
			return entries, nil
		}
	}
}

// wholeSeconds reports whether the last wanted entry and the last entry that was read have
// different times (in seconds). If so, entries contains all entries of the second of the
// last wanted entry.
func wholeSeconds(entries []TimelineEntry, want int, last TimelineEntry, back bool) bool {
	slices.SortFunc(entries, compareEntries)
	if back {
		return !entries[len(entries)-want].When.Equal(last.When)
	}
	return !entries[want-1].When.Equal(last.When)
}

// pageOfEntries returns a page of the entries. The argument at is the cursor: the page
// comes after it, or before it if at.Back is true.
func pageOfEntries(all []TimelineEntry, at *Position, limit int) List[TimelineEntry] {
	slices.SortFunc(all, compareEntries)
	more := len(all) > limit
	back := at != nil && at.Back
	switch {
	case !more:
	case back:
		all = all[len(all)-limit:]
	default:
		all = all[:limit]
	}
	l := List[TimelineEntry]{Rows: all}
	if len(all) == 0 {
		if at != nil {
			turned := *at
			turned.Back = !back
			if l.Prev = &turned; back {
				l.Prev, l.Next = nil, &turned
			}
		}
		return l
	}
	if back && more || at != nil && !back {
		l.Prev = all[0].position(true)
	}
	if back || more {
		l.Next = all[len(all)-1].position(false)
	}
	return l
}
