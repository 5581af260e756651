package store

import (
	"time"

	"stockroom/store/key"
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

func (k *Kayak) write(a *attributes) {
	a.text("Name", k.Name)
	a.text("Kind", k.Kind)
	a.text("Serial", k.Serial)
	a.amount("DailyRate", k.DailyRate)
	a.text("Condition", k.Condition)
	a.text("Status", string(k.Status))
	a.number(attrVersion, k.Version)
}

func decodeKayak(item Item) (Entity, error) {
	f := fields{item: item}
	k := &Kayak{
		ID:        f.after(attrSK, "inventory#metadata#inventoryULID#"),
		StoreID:   f.after(attrPK, storePrefix),
		Name:      f.text("Name"),
		Kind:      f.text("Kind"),
		Serial:    f.text("Serial"),
		DailyRate: f.amount("DailyRate"),
		Condition: f.text("Condition"),
		Status:    KayakStatus(f.text("Status")),
		Version:   f.number(attrVersion),
	}
	return k, f.err
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

func (r *ActiveRental) write(a *attributes) {
	a.text("RentalID", r.RentalID)
	a.time("Out", r.Out)
	a.text("Due", calendarDay(r.Due))
	a.amount("Rate", r.Rate)
	a.text("StoreName", r.StoreName)
	a.text("PersonName", r.PersonName)
	a.text("ItemName", r.KayakName)
	a.number(attrVersion, r.Version)
}

func decodeActiveRental(item Item) (Entity, error) {
	f := fields{item: item}
	r := &ActiveRental{
		StoreID:    f.after(attrPK, storePrefix),
		PersonID:   f.after("GSI4-PK", "v1#activeRentals#personULID#"),
		KayakID:    f.after("GSI4-SK", "inventoryULID#"),
		RentalID:   f.text("RentalID"),
		Out:        f.time("Out"),
		Due:        f.time("Due"),
		Rate:       f.amount("Rate"),
		StoreName:  f.text("StoreName"),
		PersonName: f.text("PersonName"),
		KayakName:  f.text("ItemName"),
		Version:    f.number(attrVersion),
	}
	return r, f.err
}

// calendarDay is a day without a time, as due and hire dates are kept.
func calendarDay(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(key.Day)
}
