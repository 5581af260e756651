package store

import (
	"fmt"
	"maps"
	"slices"

	"stockroom/store/table"
)

// storeBooks collects a rental store with its kayaks, active rentals and staff.
type storeBooks struct {
	owned  partsWithoutOwner
	store  *RentalStore
	key    Item
	kayaks map[string]KayakStatus
	keys   map[string]Item       // primary keys of the kayaks
	active map[string][]partItem // active rentals by kayak
}

func newStoreBooks() *storeBooks {
	return &storeBooks{kayaks: map[string]KayakStatus{}, keys: map[string]Item{}, active: map[string][]partItem{}}
}

func (b *storeBooks) add(e Entity, item Item) {
	switch e := e.(type) {
	case *RentalStore:
		b.store, b.key, b.owned.found = e, table.KeyOf(item), true
	case *Kayak:
		b.kayaks[e.ID], b.keys[e.ID] = e.Status, table.KeyOf(item)
		b.owned.add(newPart(CheckStoreParts, e, item))
	case *ActiveRental:
		part := newPart(CheckStoreParts, e, item)
		b.active[e.KayakID] = append(b.active[e.KayakID], part)
		b.owned.add(part)
	case *StoreEmployee:
		b.owned.add(newPart(CheckStoreParts, e, item))
	case *Event:
		b.owned.add(newPart(CheckEvent, e, item))
	}
}

func (b *storeBooks) findings() []CheckFinding {
	found := b.owned.findings("store")
	counts := map[KayakStatus]int{}
	for _, id := range slices.Sorted(maps.Keys(b.kayaks)) {
		status, active := b.kayaks[id], b.active[id]
		counts[status]++
		switch {
		case !slices.Contains(KayakStatuses, status):
			found = append(found, finding(CheckKayakOut, b.keys[id], fmt.Sprintf("The kayak %s has the status %s, which does not exist.", id, Quoted(status)), kayakPartition(id)))
		case status == KayakOut && len(active) == 0:
			found = append(found, finding(CheckKayakOut, b.keys[id], fmt.Sprintf("The kayak %s is out, but has no active rental.", id), kayakPartition(id)))
		case status != KayakOut && len(active) > 0:
			found = append(found, finding(CheckKayakOut, b.keys[id], fmt.Sprintf("The kayak %s is %s, but has an active rental.", id, status.words()), kayakPartition(id)))
		case len(active) > 1:
			found = append(found, finding(CheckKayakOut, b.keys[id], fmt.Sprintf("The kayak %s has %d active rentals.", id, len(active)), kayakPartition(id)))
		}
	}
	for _, id := range slices.Sorted(maps.Keys(b.active)) {
		if _, here := b.kayaks[id]; !here {
			part := b.active[id][0]
			found = append(found, finding(CheckKayakOut, part.item, fmt.Sprintf("The %s is for a kayak that does not belong to this store.", part.label), kayakPartition(id)))
		}
	}
	if s := b.store; s != nil && (s.In != counts[KayakIn] || s.Out != counts[KayakOut] || s.Repair != counts[KayakRepair]) {
		found = append(found, finding(CheckStoreCounts, b.key, fmt.Sprintf("The stored kayak counts of store %s are %d in, %d out and %d in repair, but counting its kayaks gives %d in, %d out and %d in repair.",
			s.ID, s.In, s.Out, s.Repair, counts[KayakIn], counts[KayakOut], counts[KayakRepair])))
	}
	return found
}
