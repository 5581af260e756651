package store

import "stockroom/store/table"

// RentalStore is a store that rents out kayaks. Transactions that change kayaks also
// update the counts of their store, so that a list of stores need not read kayaks.
type RentalStore struct {
	ID      string
	Name    string
	Address Address
	In      int // number of available kayaks
	Out     int // number of rented kayaks
	Repair  int // number of kayaks in repair

	Archived bool `json:",omitempty"`
	Version  int
}

func (*RentalStore) EntityType() string { return "storeMetadata" }

// Kayaks returns the number of kayaks that are not retired.
func (s *RentalStore) Kayaks() int { return s.In + s.Out + s.Repair }

func (s *RentalStore) KeyValue(name string) string {
	if name == "storeULID" {
		return s.ID
	}
	return ""
}

// The attributes that count a store's kayaks.
const (
	attrIn     = "In"
	attrOut    = "Out"
	attrRepair = "Repair"
)

// attrArchived is the attribute of an archived store. Other stores lack it.
const attrArchived = "Archived"

func (s *RentalStore) attributes(a *table.Attributes) {
	a.FromKey(table.AttrPK, storePrefix, &s.ID)
	a.Text("Name", &s.Name)
	a.Nested("Address", s.Address.attributes)
	a.Count(attrIn, &s.In)
	a.Count(attrOut, &s.Out)
	a.Count(attrRepair, &s.Repair)
	a.Flag(attrArchived, &s.Archived)
	a.Version(&s.Version)
}

const storePrefix = "v1#store#storeULID#"
