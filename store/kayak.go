package store

import (
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// KayakStatus is whether a kayak can be rented.
type KayakStatus string

// The states of a kayak.
const (
	KayakIn      KayakStatus = "in"
	KayakOut     KayakStatus = "out"
	KayakRepair  KayakStatus = "repair"
	KayakRetired KayakStatus = "retired" // for good
)

// KayakStatuses are all of them.
var KayakStatuses = []KayakStatus{KayakIn, KayakOut, KayakRepair, KayakRetired}

// Kayak is a boat, or whatever else a store rents out. It belongs to one store
// at a time; its history goes with it.
type Kayak struct {
	ID        string
	StoreID   string
	Name      string
	Kind      string `json:",omitempty"`
	Serial    string `json:",omitempty"`
	DailyRate Amount
	Condition string `json:",omitempty"` // in words
	Status    KayakStatus
	Version   int
}

// EntityType implements Entity.
func (*Kayak) EntityType() string { return "storeInventoryItem" }

// KeyValue implements Entity.
func (k *Kayak) KeyValue(name string) string {
	switch name {
	case "inventoryULID":
		return k.ID
	case "storeULID":
		return k.StoreID
	}
	return ""
}

func (k *Kayak) attributes(a *table.Attributes) {
	a.FromKey(table.AttrSK, "inventory#metadata#inventoryULID#", &k.ID)
	a.FromKey(table.AttrPK, storePrefix, &k.StoreID)
	a.Text("Name", &k.Name)
	a.Text("Kind", &k.Kind)
	a.Text("Serial", &k.Serial)
	amountAttribute(a, "DailyRate", &k.DailyRate)
	a.Text("Condition", &k.Condition)
	a.Text("Status", (*string)(&k.Status))
	a.Version(&k.Version)
}

// ActiveRental is a kayak that somebody has now. It stands beside the Rental
// that will stay in the history, is written and removed in the same
// transactions, and what it copies is for lists.
type ActiveRental struct {
	StoreID  string
	PersonID string
	KayakID  string
	RentalID string
	Out      time.Time
	Due      time.Time // the calendar day by which it is to be back, at midnight UTC
	Rate     Amount    // for each started day

	StoreName  string `json:",omitempty"`
	PersonName string `json:",omitempty"`
	KayakName  string `json:",omitempty"`
	Version    int
}

// EntityType implements Entity.
func (*ActiveRental) EntityType() string { return "storeActiveRental" }

// KeyValue implements Entity.
func (r *ActiveRental) KeyValue(name string) string {
	switch name {
	case "storeULID":
		return r.StoreID
	case "personULID":
		return r.PersonID
	case "inventoryULID", "shardOf":
		return r.KayakID
	case "due":
		return calendarDay(r.Due)
	}
	return ""
}

func (r *ActiveRental) attributes(a *table.Attributes) {
	a.FromKey(table.AttrPK, storePrefix, &r.StoreID)
	a.FromKey("GSI4-PK", "v1#activeRentals#personULID#", &r.PersonID)
	a.FromKey("GSI4-SK", "inventoryULID#", &r.KayakID)
	a.Text("RentalID", &r.RentalID)
	a.Time("Out", &r.Out)
	a.Date("Due", &r.Due)
	amountAttribute(a, "Rate", &r.Rate)
	a.Text("StoreName", &r.StoreName)
	a.Text("PersonName", &r.PersonName)
	a.Text("ItemName", &r.KayakName)
	a.Version(&r.Version)
}

// calendarDay is a day without a time, as due and hire dates are kept.
func calendarDay(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(key.Day)
}
