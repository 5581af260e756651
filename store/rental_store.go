package store

import "stockroom/store/table"

// RentalStore is a store that rents out kayaks. The transactions that change kayaks
// also update the counts, so a list of stores reads no kayaks.
type RentalStore struct {
	ID      string
	Name    string
	Address Address
	In      int // available kayaks
	Out     int // rented out
	Repair  int // in repair

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

// Attributes with the counts of a store's kayaks.
const (
	attrIn     = "In"
	attrOut    = "Out"
	attrRepair = "Repair"
)

func (s *RentalStore) attributes(a *table.Attributes) {
	a.FromKey(table.AttrPK, storePrefix, &s.ID)
	a.Text("Name", &s.Name)
	a.Nested("Address", s.Address.attributes)
	a.Count(attrIn, &s.In)
	a.Count(attrOut, &s.Out)
	a.Count(attrRepair, &s.Repair)
	a.Flag("Archived", &s.Archived)
	a.Version(&s.Version)
}

// storePrefix starts the partition key of a store.
const storePrefix = "v1#store#storeULID#"
