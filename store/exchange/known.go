package exchange

import (
	"errors"
	"hash/maphash"

	"stockroom/store"
	"stockroom/store/spill"
)

// Known contains what an import knows about entities in the table and in the files read so
// far. All files of an import use the same Known.
type Known struct {
	fleet *fleet
	seed  maphash.Seed
	keys  *spill.Map // hashes of entities to which other entities can refer, and of rejected ones; nil before the first

	rejected    int                    // number of rejected rows
	mappedRows  map[mappedRow]struct{} // rejected rows of files with a mapping
	countKayaks bool                   // the import has read stores or kayaks since it last counted kayaks

	folder string // folder for temporary files
	unique uniqueValues
	plan   *store.Plan // set only in a dry run
}

// knownInMemory is the maximum number of entries of a spill.Map in memory.
const knownInMemory = 1 << 17

// Close deletes temporary files. Call it after the last source.
func (k *Known) Close() error {
	var err error
	if k.keys != nil {
		err = k.keys.Close()
	}
	return errors.Join(err, k.unique.close(), k.plan.Close())
}

// NewKnown returns a Known for a new import.
func NewKnown() *Known {
	return &Known{fleet: newFleet(), seed: maphash.MakeSeed(), mappedRows: map[mappedRow]struct{}{}}
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

func (k *Known) has(entityType, id string) (known bool, err error) {
	if k.keys == nil {
		return false, nil
	}
	_, known, err = k.keys.Get(k.hash(entityType, id))
	return known, err
}

// add records an entity to which other entities can refer.
func (k *Known) add(entityType, id string) error {
	if k.keys == nil {
		k.keys = spill.NewMap(k.folder, knownInMemory)
	}
	return k.keys.Set(k.hash(entityType, id), 0)
}

// learn records an entity if other entities can refer to its type.
func (k *Known) learn(entity store.Entity) error {
	kind, id := referable(entity)
	if kind == "" {
		return nil
	}
	return k.add(kind, id)
}

// learnRejected records that a row with an entity was rejected, for the reasons to reject the
// rows that refer to this entity.
func (k *Known) learnRejected(entity store.Entity) error {
	kind, id := referable(entity)
	if kind == "" {
		return nil
	}
	return k.add(rejectedPrefix+kind, id)
}

// isRejectedParent reports whether a row with this parent was rejected.
func (k *Known) isRejectedParent(p parent) (rejected bool, err error) {
	for _, kind := range p.kinds {
		if rejected, err = k.has(rejectedPrefix+kind, p.id); rejected || err != nil {
			return rejected, err
		}
	}
	return false, nil
}

// rejectedPrefix distinguishes the rejected entities in Known.keys from the known ones.
const rejectedPrefix = "rejected "

// referable returns the type and the ID of an entity to which others can refer. For other
// entities, it returns "".
func referable(entity store.Entity) (kind, id string) {
	switch e := entity.(type) {
	case *store.Customer:
		return kindCustomer, e.ID
	case *store.Product:
		return kindProduct, e.ID
	case *store.Warehouse:
		return kindWarehouse, e.ID
	case *store.Employee:
		return kindEmployee, e.ID
	case *store.RentalStore:
		return kindStore, e.ID
	case *store.Person:
		return kindPerson, e.ID
	case *store.Reference:
		return string(e.Kind), e.ID
	}
	return "", ""
}
