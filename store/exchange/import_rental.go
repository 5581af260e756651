package exchange

import (
	"context"
	"fmt"

	"stockroom/store"
)

// Fleet is what is known of kayaks while the files of one import are read: of
// those in the table, and of those that came before.
type Fleet struct {
	kayaks map[string]*store.Kayak                  // nil: nobody knows it
	out    map[string]map[string]store.ActiveRental // by store and kayak
}

// NewFleet is for the files of one import.
func NewFleet() *Fleet {
	return &Fleet{map[string]*store.Kayak{}, map[string]map[string]store.ActiveRental{}}
}

// fit refuses what does not agree with the rest of the rental: a kayak that is
// at another store, a rental of a kayak that nobody knows, one of a kayak that
// somebody else has, and a history that goes on while nobody has the kayak.
func (t *taking) fit(ctx context.Context, p *Import) (*Import, error) {
	if p.Ours {
		return p, nil // what was written here agrees, in whatever order it comes
	}
	if err := t.learn(ctx, p.Entities); err != nil {
		return nil, err
	}
	rest := &Import{Refused: p.Refused, Ours: p.Ours}
	keep := func(i int, reason string) {
		if reason != "" {
			rest.Refused = append(rest.Refused, Refused{p.Rows[i], reason})
			return
		}
		rest.Entities, rest.Rows = append(rest.Entities, p.Entities[i]), append(rest.Rows, p.Rows[i])
	}
	// Within a portion too, kayaks come before what is out, and that before the
	// history.
	for _, turn := range []int{0, 1, 2} {
		for i, entity := range p.Entities {
			if turnOf(entity) == turn {
				keep(i, t.how.Fleet.misfit(entity))
			}
		}
	}
	return rest, nil
}

func turnOf(entity store.Entity) int {
	switch entity.(type) {
	case *store.ActiveRental:
		return 1
	case *store.Rental:
		return 2
	}
	return 0
}

// learn reads what the table has of the kayaks and stores that entities speak
// of, each once.
func (t *taking) learn(ctx context.Context, entities []store.Entity) error {
	var kayaks, stores []string
	ask := func(kayakID, storeID string) {
		if _, asked := t.how.Fleet.kayaks[kayakID]; !asked {
			t.how.Fleet.kayaks[kayakID] = nil
			kayaks = append(kayaks, kayakID)
		}
		if storeID != "" && t.how.Fleet.out[storeID] == nil {
			t.how.Fleet.out[storeID] = map[string]store.ActiveRental{}
			stores = append(stores, storeID)
		}
	}
	for _, entity := range entities {
		switch e := entity.(type) {
		case *store.Kayak:
			ask(e.ID, "")
		case *store.ActiveRental:
			ask(e.KayakID, e.StoreID)
		case *store.Rental:
			if e.Returned.IsZero() {
				ask(e.KayakID, e.StoreID)
			} else {
				ask(e.KayakID, "")
			}
		}
	}
	known, err := t.store.KnownKayaks(ctx, kayaks)
	if err != nil {
		return err
	}
	for _, k := range known {
		t.how.Fleet.kayaks[k.ID] = &k
	}
	for _, id := range stores {
		out, err := t.store.OutFrom(ctx, id)
		if err != nil {
			return err
		}
		for _, r := range out {
			t.how.Fleet.out[id][r.KayakID] = r
		}
	}
	return nil
}

func (f *Fleet) misfit(entity store.Entity) (reason string) {
	switch e := entity.(type) {
	case *store.Kayak:
		if e.Status == "" {
			e.Status = store.KayakIn
		}
		if k := f.kayaks[e.ID]; k != nil && k.StoreID != e.StoreID {
			return fmt.Sprintf("The kayak %s is at the store %s already, and a kayak is at one store.", e.ID, k.StoreID)
		} else if k == nil {
			f.kayaks[e.ID] = e
		}
	case *store.ActiveRental:
		k, other := f.kayaks[e.KayakID], f.out[e.StoreID][e.KayakID]
		switch {
		case k == nil:
			return unknownKayak(e.KayakID)
		case k.StoreID != e.StoreID:
			return fmt.Sprintf("The kayak %s is at the store %s, so it cannot be out from %s.", k.ID, k.StoreID, e.StoreID)
		case k.Status != store.KayakOut:
			return fmt.Sprintf("The kayak %s has the Status %q, not %q, so nobody can have it.", k.ID, k.Status, store.KayakOut)
		case other.KayakID != "" && other.PersonID != e.PersonID:
			return fmt.Sprintf("The kayak %s is out to %s already.", k.ID, other.PersonID)
		}
		f.out[e.StoreID][e.KayakID] = *e
	case *store.Rental:
		if f.kayaks[e.KayakID] == nil {
			return unknownKayak(e.KayakID)
		}
		if e.Returned.IsZero() && f.out[e.StoreID][e.KayakID].RentalID != e.ID {
			return fmt.Sprintf("It does not say when the kayak %s came back, and no active rental says that it is out.", e.KayakID)
		}
	}
	return ""
}

func unknownKayak(id string) string {
	return fmt.Sprintf("It is of the kayak %s, which nobody knows: import kayaks before their rentals.", id)
}
