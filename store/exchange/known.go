package exchange

import (
	"hash/maphash"

	"stockroom/store"
)

// Known is what an import knows about the items in the table and in the files
// that it has read. The files of one import share it.
type Known struct {
	fleet *fleet
	seed  maphash.Seed
	keys  map[uint64]struct{} // hashes of the entities that others refer to

	rejected    int                    // rows
	mappedRows  map[mappedRow]struct{} // that were rejected
	countKayaks bool                   // stores or kayaks were read after they were counted
}

// NewKnown returns what is known before the first file of an import.
func NewKnown() *Known {
	return &Known{fleet: newFleet(), seed: maphash.MakeSeed(), keys: map[uint64]struct{}{}, mappedRows: map[mappedRow]struct{}{}}
}

// mappedRow is a row of a mapped file, which can become several entities.
type mappedRow struct{ file, number int }

// isRejected reports whether the row was rejected before as another entity, and
// remembers that it is rejected now.
func (k *Known) isRejected(row *Row) bool {
	if row.csv == nil || row.csv.mapper == nil {
		return false
	}
	of := mappedRow{row.File, row.Number}
	_, rejected := k.mappedRows[of]
	k.mappedRows[of] = struct{}{}
	return rejected
}

// hash returns a hash that represents texts in a set. Two different lists have the
// same hash once in 2⁶⁴ times.
func (k *Known) hash(texts ...string) uint64 {
	var h maphash.Hash
	h.SetSeed(k.seed)
	for _, text := range texts {
		_, _ = h.WriteString(text)
		_ = h.WriteByte(0)
	}
	return h.Sum64()
}

func (k *Known) has(entityType, id string) bool {
	_, known := k.keys[k.hash(entityType, id)]
	return known
}

// add remembers an entity that others can refer to.
func (k *Known) add(entityType, id string) { k.keys[k.hash(entityType, id)] = struct{}{} }

// learn remembers an entity if others can refer to it.
func (k *Known) learn(entity store.Entity) {
	switch e := entity.(type) {
	case *store.Customer:
		k.add(kindCustomer, e.ID)
	case *store.Product:
		k.add(kindProduct, e.ID)
	case *store.Warehouse:
		k.add(kindWarehouse, e.ID)
	case *store.Employee:
		k.add(kindEmployee, e.ID)
	case *store.RentalStore:
		k.add(kindStore, e.ID)
	case *store.Person:
		k.add(kindPerson, e.ID)
	case *store.Reference:
		k.add(string(e.Kind), e.ID)
	}
}
