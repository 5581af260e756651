package store

import (
	"context"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// Rental is one kayak that one person rented once, kept for good. Names are
// copied, so that a history is one Query and stays as it was.
type Rental struct {
	ID       string
	StoreID  string // where it went out
	PersonID string
	KayakID  string
	Out      time.Time
	Due      time.Time // a calendar day, at midnight UTC
	Returned time.Time `json:",omitzero"` // zero: still out
	Rate     Amount    // for each started day, as agreed when it went out
	Charge   Amount    // once it is back

	StoreName  string `json:",omitempty"`
	PersonName string `json:",omitempty"`
	KayakName  string `json:",omitempty"`
	Version    int
}

// EntityType implements Entity.
func (*Rental) EntityType() string { return "rentalRelationship" }

// KeyValue implements Entity.
func (r *Rental) KeyValue(name string) string {
	switch name {
	case "rentalULID":
		return r.ID
	case "storeULID":
		return r.StoreID
	case "personULID":
		return r.PersonID
	case "inventoryULID":
		return r.KayakID
	case "out":
		return key.Time(r.Out)
	}
	return ""
}

func (r *Rental) attributes(a *table.Attributes) {
	a.FromKey(table.AttrPK, "v1#rental#rentalULID#", &r.ID)
	a.FromKey("GSI2-PK", "v1#rentalLocationPerson#", &r.StoreID)
	a.FromKey("GSI3-PK", "v1#rentalPersonLocation#", &r.PersonID)
	a.FromKey("GSI5-PK", "v1#rentalInventoryPerson#", &r.KayakID)
	a.Time("Out", &r.Out)
	a.Date("Due", &r.Due)
	a.Time("Returned", &r.Returned)
	amountAttribute(a, "Rate", &r.Rate)
	amountAttribute(a, "Charge", &r.Charge)
	a.Text("StoreName", &r.StoreName)
	a.Text("PersonName", &r.PersonName)
	a.Text("ItemName", &r.KayakName)
	a.Version(&r.Version)
}

// How a rental is charged: each calendar day of the business on which it was
// out is a started day, the one on which it went and the one on which it came
// back included. Days do not depend on the hour, nor on a change of the clocks
// between them.

// StartedDays is for how many days a rental is charged that came back then.
func StartedDays(out, back time.Time, zone *time.Location) int {
	return max(0, daysFrom(dayIn(out, zone), dayIn(back, zone))) + 1
}

// LateDays is how many days after the day on which it was due it came back.
func LateDays(due, back time.Time, zone *time.Location) int {
	if due.IsZero() {
		return 0
	}
	return max(0, daysFrom(due, dayIn(back, zone)))
}

// dayIn is the calendar day of a moment in a zone, at midnight UTC.
func dayIn(t time.Time, zone *time.Location) time.Time {
	year, month, day := t.In(zone).Date()
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

func daysFrom(first, last time.Time) int { return int(last.Sub(first) / (24 * time.Hour)) }

// Today is the calendar day of the business, at midnight UTC.
func (s *Store) Today(ctx context.Context) (time.Time, error) {
	settings, err := s.Settings(ctx)
	return dayIn(s.now(), settings.Zone()), err
}

// kayakPartition is where the events of a kayak lie: with the kayak, not with
// the store that it is at.
func kayakPartition(id string) string { return partitionOf(getInventoryItem, "inventoryULID", id) }

// storePartition is where a store lies, and the events of its staff.
func storePartition(id string) string { return partitionOf(getStore, "storeULID", id) }

// partitionOf is the partition that a pattern asks of one thing.
func partitionOf(p *Pattern, name, id string) string {
	pk, _ := p.PK.Render(key.Map{name: id}) // whoever has no ID has no key, and its change fails
	return pk
}
