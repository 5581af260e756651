package store

import (
	"cmp"
	"slices"
	"time"

	"stockroom/store/key"
)

// TimelineEntry is one thing that recordOrderEvent with a person, as a timeline tells it.
type TimelineEntry struct {
	When   time.Time
	Kind   string // the type of the entity that tells it
	ID     string // of that entity; of the kayak that was rented, of the subscription that was paid
	What   string // what recordOrderEvent, or how it stands now
	About  string `json:",omitempty"`
	By     string `json:",omitempty"` // who did it, or the store where it was done
	Amount Amount
}

// TimelineEntry tells of an order.
func (o *Order) TimelineEntry() TimelineEntry {
	return TimelineEntry{When: o.Date, Kind: o.EntityType(), ID: o.ID, What: string(o.Status), Amount: o.Total}
}

// TimelineEntry tells of an invoice.
func (i *Invoice) TimelineEntry() TimelineEntry {
	return TimelineEntry{When: i.Date, Kind: i.EntityType(), ID: i.ID, What: string(i.Status), About: i.OrderID, Amount: i.Amount}
}

// TimelineEntry tells of a kayak that went out.
func (r *Rental) TimelineEntry() TimelineEntry {
	m := TimelineEntry{When: r.Out, Kind: r.EntityType(), ID: r.KayakID, What: "rented", About: r.KayakName, By: r.StoreName, Amount: r.Charge}
	if r.Returned.IsZero() {
		m.What = "out"
	}
	return m
}

// TimelineEntry tells of a payment of a subscription, on the day when it was due:
// that is what receipts are kept by.
func (r *Receipt) TimelineEntry() TimelineEntry {
	return TimelineEntry{When: r.DueDate, Kind: r.EntityType(), ID: r.SubscriptionID, What: "paid", About: r.SKU, Amount: r.ProcessedAmount}
}

// TimelineEntry tells of a change.
func (e *Event) TimelineEntry() TimelineEntry {
	return TimelineEntry{When: e.When, Kind: e.EntityType(), ID: e.ID, What: e.Sentence(), About: e.Why, By: e.By}
}

// compareMoments orders moments newest first. Those of one second are told
// apart by what tells them, so that a timeline has one order.
func compareEntries(a, b TimelineEntry) int {
	return cmp.Or(b.When.Compare(a.When), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.ID, b.ID))
}

// NewestEntries merges moments and keeps the newest so many of them, newest first.
func NewestEntries(limit int, moments ...[]TimelineEntry) []TimelineEntry {
	all := slices.Concat(moments...)
	slices.SortFunc(all, compareEntries)
	return all[:min(limit, len(all))]
}

// teller is what a timeline can tell of.
type timelineRow[T any] interface {
	*T
	TimelineEntry() TimelineEntry
}

// TimelineEntries are those of some rows.
func TimelineEntries[T any, E timelineRow[T]](rows []T) []TimelineEntry {
	moments := make([]TimelineEntry, len(rows))
	for i := range rows {
		moments[i] = E(&rows[i]).TimelineEntry()
	}
	return moments
}

// position is the place behind a moment in a timeline, or before it.
func (m TimelineEntry) position(back bool) *Position {
	return &Position{SK: key.Time(m.When), ItemPK: m.Kind, ItemSK: m.ID, Back: back}
}

// momentAt is the moment that a place is behind or before.
func momentAt(at *Position) (TimelineEntry, error) {
	when, err := time.Parse(key.Instant, at.SK)
	if err != nil {
		return TimelineEntry{}, InvalidField("after", "This page link does not belong to this list.")
	}
	return TimelineEntry{When: when, Kind: at.ItemPK, ID: at.ItemSK}, nil
}
