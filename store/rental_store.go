package store

import "stockroom/store/table"

// RentalStore is a shop that rents kayaks out. It counts its kayaks: the
// transaction that changes a kayak changes the count, so that a list of all
// stores reads one partition and no kayak.
type RentalStore struct {
	ID      string
	Name    string
	Address Address
	In      int // kayaks that can be rented
	Out     int // those that are rented
	Repair  int // those that are being repaired
	Version int
}

// EntityType implements Entity.
func (*RentalStore) EntityType() string { return "storeMetadata" }

// Kayaks is how many there are, those that were retired apart.
func (s *RentalStore) Kayaks() int { return s.In + s.Out + s.Repair }

// KeyValue implements Entity.
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

func (s *RentalStore) attributes(a *table.Attributes) {
	a.FromKey(table.AttrPK, storePrefix, &s.ID)
	a.Text("Name", &s.Name)
	a.Nested("Address", s.Address.attributes)
	a.Number(attrIn, &s.In)
	a.Number(attrOut, &s.Out)
	a.Number(attrRepair, &s.Repair)
	a.Version(&s.Version)
}

// storePrefix is what a store's partition begins with.
const storePrefix = "v1#store#storeULID#"
