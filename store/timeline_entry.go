package store

import (
	"cmp"
	"slices"
	"time"

	"stockroom/store/key"
)

// TimelineEntry is an entry in a timeline: an event, or a record such as an order.
type TimelineEntry struct {
	When   time.Time
	Kind   string // entity type of the source
	ID     string // ID of the record; for a rental, of the kayak; for a receipt, of the subscription
	Number string `json:",omitempty"` // number of an invoice or a credit note, as documents show it
	What   string // sentence of the event, or a word about the record, such as its status
	About  string `json:",omitempty"` // for example, the ID of the order of an invoice or a credit note
	By     string `json:",omitempty"` // user name of an event, or the store of a rental or its payment
	Amount Amount

	event   *Event   // see TimelineEntry.Event
	invoice *Invoice // see TimelineEntry.Invoice
}

// Event returns the event of the entry, or nil if the entry is a record. For a receipt, it
// returns the event that Receipt.event builds, if any.
func (m TimelineEntry) Event() *Event { return m.event }

// Invoice returns the invoice of the entry, with its payments, or nil if the entry is about
// something else.
func (m TimelineEntry) Invoice() *Invoice { return m.invoice }

// TimelineEntry returns the entry for placing the order.
func (o *Order) TimelineEntry() TimelineEntry {
	return TimelineEntry{When: o.Date, Kind: o.EntityType(), ID: o.ID, What: string(o.Status), Amount: o.Total}
}

// TimelineEntry returns the entry for the invoice.
func (i *Invoice) TimelineEntry() TimelineEntry {
	return TimelineEntry{When: i.Date, Kind: i.EntityType(), ID: i.ID, Number: i.NumberText(), What: string(i.Status), About: i.OrderID, Amount: i.Amount, invoice: i}
}

// TimelineEntry returns the entry for the credit note.
func (n *CreditNote) TimelineEntry() TimelineEntry {
	return TimelineEntry{When: n.Date, Kind: n.EntityType(), ID: n.ID, Number: n.NumberText(), What: string(n.Reason), About: n.OrderID, Amount: n.Amount}
}

// TimelineEntry returns the entry for the check-out.
func (r *Rental) TimelineEntry() TimelineEntry {
	m := TimelineEntry{When: r.Out, Kind: r.EntityType(), ID: r.KayakID, What: "rented", About: r.KayakName, By: r.StoreName, Amount: r.Charge}
	if r.Returned.IsZero() {
		m.What = "out"
	}
	return m
}

// TimelineEntry returns the entry for the payment of a rental.
func (p *RentalPayment) TimelineEntry() TimelineEntry {
	return TimelineEntry{When: p.At, Kind: p.EntityType(), ID: p.ID, What: string(p.Kind) + " " + string(p.Method), About: p.Why, By: p.StoreName, Amount: p.Amount}
}

// TimelineEntry returns the entry for the payment. Its time is the due day, which the
// key of the receipt contains.
func (r *Receipt) TimelineEntry() TimelineEntry {
	entry := TimelineEntry{When: r.DueDate, Kind: r.EntityType(), ID: r.SubscriptionID, What: "paid", About: nameOrID(r.PlanName, r.SKU), Amount: r.ProcessedAmount}
	if e, ok := r.event(); ok {
		entry.event = &e
	}
	return entry
}

// TimelineEntry returns the entry for the event.
func (e *Event) TimelineEntry() TimelineEntry {
	return TimelineEntry{When: e.When, Kind: e.EntityType(), ID: e.ID, What: e.Sentence(), About: e.Why, By: e.By, event: e}
}

// compareEntries sorts entries newest first. It sorts entries of the same second by
// kind and ID, so that their order never changes.
func compareEntries(a, b TimelineEntry) int {
	return cmp.Or(b.When.Compare(a.When), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.ID, b.ID))
}

// NewestEntries merges lists of entries and returns the newest ones, newest first. The
// argument limit is the maximum number of entries in the result.
func NewestEntries(limit int, entries ...[]TimelineEntry) []TimelineEntry {
	all := slices.Concat(entries...)
	slices.SortFunc(all, compareEntries)
	return all[:min(limit, len(all))]
}

type timelineRow[T any] interface {
	*T
	TimelineEntry() TimelineEntry
}

// TimelineEntries returns the entries of records.
func TimelineEntries[T any, E timelineRow[T]](rows []T) []TimelineEntry {
	entries := make([]TimelineEntry, len(rows))
	for i := range rows {
		entries[i] = E(&rows[i]).TimelineEntry()
	}
	return entries
}

// position returns the position after the entry, or before it if the argument back is
// true.
func (m TimelineEntry) position(back bool) *Position {
	return &Position{SK: key.Time(m.When), ItemPK: m.Kind, ItemSK: m.ID, Back: back}
}

// entryAt returns the entry in a cursor. It returns Invalid if the cursor belongs to
// another list.
func entryAt(at *Position) (TimelineEntry, error) {
	when, err := time.Parse(key.Instant, at.SK)
	if err != nil {
		return TimelineEntry{}, InvalidField("after", "This page link is not valid for this list. Start again from the first page.")
	}
	return TimelineEntry{When: when, Kind: at.ItemPK, ID: at.ItemSK}, nil
}
