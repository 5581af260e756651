package store

import (
	"cmp"
	"slices"
	"time"

	"stockroom/store/key"
)

// Moment is one thing that happened with a person, as a timeline tells it.
type Moment struct {
	When   time.Time
	Kind   string // the type of the entity that tells it
	ID     string // of that entity; of the kayak that was rented, of the subscription that was paid
	What   string // what happened, or how it stands now
	About  string `json:",omitempty"`
	By     string `json:",omitempty"` // who did it, or the store where it was done
	Amount Amount
}

// Moment tells of an order.
func (o *Order) Moment() Moment {
	return Moment{When: o.Date, Kind: o.EntityType(), ID: o.ID, What: string(o.Status), Amount: o.Total}
}

// Moment tells of an invoice.
func (i *Invoice) Moment() Moment {
	return Moment{When: i.Date, Kind: i.EntityType(), ID: i.ID, What: string(i.Status), About: i.OrderID, Amount: i.Amount}
}

// Moment tells of a kayak that went out.
func (r *Rental) Moment() Moment {
	m := Moment{When: r.Out, Kind: r.EntityType(), ID: r.KayakID, What: "rented", About: r.KayakName, By: r.StoreName, Amount: r.Charge}
	if r.Returned.IsZero() {
		m.What = "out"
	}
	return m
}

// Moment tells of a payment of a subscription, on the day when it was due:
// that is what receipts are kept by.
func (r *Receipt) Moment() Moment {
	return Moment{When: r.DueDate, Kind: r.EntityType(), ID: r.SubscriptionID, What: "paid", About: r.SKU, Amount: r.ProcessedAmount}
}

// Moment tells of a change.
func (e *Event) Moment() Moment {
	return Moment{When: e.When, Kind: e.EntityType(), ID: e.ID, What: e.What, About: e.Why, By: e.By}
}

// compareMoments orders moments newest first. Those of one second are told
// apart by what tells them, so that a timeline has one order.
func compareMoments(a, b Moment) int {
	return cmp.Or(b.When.Compare(a.When), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.ID, b.ID))
}

// Newest merges moments and keeps the newest so many of them, newest first.
func Newest(limit int, moments ...[]Moment) []Moment {
	all := slices.Concat(moments...)
	slices.SortFunc(all, compareMoments)
	return all[:min(limit, len(all))]
}

// teller is what a timeline can tell of.
type teller[T any] interface {
	*T
	Moment() Moment
}

// Moments are those of some rows.
func Moments[T any, E teller[T]](rows []T) []Moment {
	moments := make([]Moment, len(rows))
	for i := range rows {
		moments[i] = E(&rows[i]).Moment()
	}
	return moments
}

// position is the place behind a moment in a timeline, or before it.
func (m Moment) position(back bool) *Position {
	return &Position{SK: key.Time(m.When), ItemPK: m.Kind, ItemSK: m.ID, Back: back}
}

// momentAt is the moment that a place is behind or before.
func momentAt(at *Position) (Moment, error) {
	when, err := time.Parse(key.Instant, at.SK)
	if err != nil {
		return Moment{}, InvalidField("after", "This page link does not belong to this list.")
	}
	return Moment{When: when, Kind: at.ItemPK, ID: at.ItemSK}, nil
}
