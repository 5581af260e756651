package exchange

import (
	"context"
	"fmt"

	"stockroom/store"
)

// nonsenseOfRentals is nonsense for what is rented and who works at a store.
func nonsenseOfRentals(entity store.Entity) (reason string) {
	switch e := entity.(type) {
	case *store.Kayak:
		return first(unknown("Status", e.Status, store.KayakStatuses), negative("DailyRate", e.DailyRate))
	case *store.Rental:
		if !e.Returned.IsZero() && e.Returned.Before(e.Out) {
			return fmt.Sprintf("It was returned at %s, before it went out at %s.", e.Returned.Format("2006-01-02 15:04"), e.Out.Format("2006-01-02 15:04"))
		}
		return first(negative("Rate", e.Rate), negative("Charge", e.Charge))
	case *store.ActiveRental:
		return negative("Rate", e.Rate)
	case *store.Employment:
		if !e.To.IsZero() && e.To.Before(e.From) {
			return fmt.Sprintf("It ended on %s, before it began on %s.", e.To.Format("2006-01-02"), e.From.Format("2006-01-02"))
		}
	}
	return ""
}

// kayakOf is the kayak that a rental is of; "" for everything else.
func kayakOf(entity store.Entity) string {
	switch e := entity.(type) {
	case *store.Rental:
		return e.KayakID
	case *store.ActiveRental:
		return e.KayakID
	}
	return ""
}

// withoutUnknownKayaks refuses rentals of kayaks that neither the table nor
// what was read so far knows of: nobody would find them from their kayak.
func (t *taking) withoutUnknownKayaks(ctx context.Context, p *Import) (*Import, error) {
	if p.Ours {
		return p, nil // what was written here is whole, in whatever order it comes
	}
	var unsure []string
	for _, entity := range p.Entities {
		if k, is := entity.(*store.Kayak); is {
			t.kayaks[k.ID] = true
		}
	}
	for _, entity := range p.Entities {
		if id := kayakOf(entity); id != "" {
			if _, asked := t.kayaks[id]; !asked {
				t.kayaks[id] = false
				unsure = append(unsure, id)
			}
		}
	}
	known, err := t.store.KnownKayaks(ctx, unsure)
	if err != nil {
		return nil, err
	}
	for id, is := range known {
		t.kayaks[id] = is
	}
	rest := &Import{Refused: p.Refused, Ours: p.Ours}
	for i, entity := range p.Entities {
		if id := kayakOf(entity); id != "" && !t.kayaks[id] {
			rest.Refused = append(rest.Refused, Refused{p.Rows[i], fmt.Sprintf("It is of the kayak %s, which nobody knows: import kayaks before their rentals.", id)})
			continue
		}
		rest.Entities, rest.Rows = append(rest.Entities, entity), append(rest.Rows, p.Rows[i])
	}
	return rest, nil
}
