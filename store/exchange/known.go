package exchange

import (
	"errors"
	"hash/maphash"

	"stockroom/store"
)

// Known contains what an import knows about entities in the table and in the files read so
// far. All files of an import use the same Known.
type Known struct {
	fleet *fleet
	seed  maphash.Seed
	keys  map[uint64]struct{} // hashes of entities to which other entities can refer

	rejected    int                    // number of rejected rows
	mappedRows  map[mappedRow]struct{} // rejected rows of files with a mapping
	countKayaks bool                   // the import has read stores or kayaks since it last counted kayaks

	folder string // folder for temporary files
	unique uniqueValues
	plan   *store.Plan // set only in a dry run
}

// knownInMemory is the maximum number of entries of a spill.Map in memory.
const knownInMemory = 1 << 18

// Close deletes temporary files. Call it after the last source.
func (k *Known) Close() error { return errors.Join(k.unique.close(), k.plan.Close()) }

// NewKnown returns a Known for a new import.
func NewKnown() *Known {
	return &Known{fleet: newFleet(), seed: maphash.MakeSeed(), keys: map[uint64]struct{}{}, mappedRows: map[mappedRow]struct{}{}}
}

// mappedRow identifies a row of a file with a mapping, which can become several entities.
type mappedRow struct{ file, number int }

// isRejected reports whether the row was already rejected as another entity. It then
// records that the row is rejected.
func (k *Known) isRejected(row *Row) bool {
	if row.csv == nil || row.csv.mapper == nil {
		return false
	}
	of := mappedRow{row.File, row.Number}
	_, rejected := k.mappedRows[of]
	k.mappedRows[of] = struct{}{}
	return rejected
}

// hash returns a hash of a list of strings, because a hash needs less memory. The hashes of
// two different lists are equal with a probability of 2⁻⁶⁴.
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

// add records an entity to which other entities can refer.
func (k *Known) add(entityType, id string) { k.keys[k.hash(entityType, id)] = struct{}{} }

// learn records an entity if other entities can refer to its type.
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
