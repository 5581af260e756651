package store

import (
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// Rental records that one person rented one kayak once. Rentals are kept permanently.
// They contain copies of names, so that a list of rentals needs only one Query.
type Rental struct {
	ID       string
	StoreID  string // the store that rented out the kayak
	PersonID string
	KayakID  string
	Out      time.Time
	Due      time.Time // calendar day, at midnight UTC
	Returned time.Time `json:",omitzero"` // zero while the kayak is out
	Rate     Amount    // price per calendar day, as agreed at check-out
	Charge   Amount    // set at check-in
	Damage   string    `json:",omitempty"` // set at check-in

	PaidBy      PayMethod `json:",omitempty"` // method of paying the charge; "" before the check-in, without a charge, and for rentals of earlier versions
	Paid        time.Time `json:",omitzero"`  // zero while the charge is unpaid
	Deposit     Amount    `json:",omitzero"`  // taken at check-out
	DepositBy   PayMethod `json:",omitempty"`
	DepositKept Amount    `json:",omitzero"` // part of the deposit that was not returned at check-in

	StoreName  string `json:",omitempty"`
	PersonName string `json:",omitempty"`
	KayakName  string `json:",omitempty"`
	Version    int
}

func (*Rental) EntityType() string { return "rentalRelationship" }

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
	a.Text("Damage", &r.Damage)
	a.Text("PaidBy", (*string)(&r.PaidBy))
	a.Time("Paid", &r.Paid)
	optionalAmount(a, "Deposit", &r.Deposit)
	a.Text("DepositBy", (*string)(&r.DepositBy))
	optionalAmount(a, "DepositKept", &r.DepositKept)
	a.Text("StoreName", &r.StoreName)
	a.Text("PersonName", &r.PersonName)
	a.Text("ItemName", &r.KayakName)
	a.Version(&r.Version)
}

// StartedDays returns the number of days to charge for a rental: the calendar days in
// the time zone of the business, including the days of check-out and check-in. The
// time of day does not matter.
func StartedDays(out, returned time.Time, zone *time.Location) int {
	return max(0, daysBetween(dayIn(out, zone), dayIn(returned, zone))) + 1
}

// LateDays returns how many days after the due day a kayak was checked in, or 0 if
// it was on time or had no due day.
func LateDays(due, returned time.Time, zone *time.Location) int {
	if due.IsZero() {
		return 0
	}
	return max(0, daysBetween(due, dayIn(returned, zone)))
}

// kayakPartition returns the partition of a kayak's events. It does not depend on the
// store, so a kayak that moves keeps its history.
func kayakPartition(id string) string { return partitionOf(getInventoryItem, "inventoryULID", id) }

// storePartition returns the partition of a store, which also contains the events of
// the store and its staff.
func storePartition(id string) string { return partitionOf(getStore, "storeULID", id) }

// partitionOf returns the partition key of a pattern. name is the only placeholder of this
// key, and id is its value.
func partitionOf(p *Pattern, name, id string) string {
	pk, _ := p.PK.Render(key.Map{name: id}) // the ID can be missing; the key is then empty, and DynamoDB rejects the change
	return pk
}
