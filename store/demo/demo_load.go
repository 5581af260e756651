package demo

import (
	"context"
	"fmt"
	"slices"
	"time"

	"stockroom/store"
)

// chunk is how many entities LoadAt encodes and writes at once. Larger chunks need more
// memory, but hardly less processor time: for the full business, chunks of 500 need 70
// MB, and chunks of 4000 need 190 MB.
const chunk = 500

// Load adds a demo business to a store, with its totals, quotas and stock counts.
func Load(ctx context.Context, s *store.Store, size Size) error {
	rejected, err := LoadAt(ctx, s, s.Now(), size)
	if err == nil && len(rejected) > 0 {
		err = fmt.Errorf("rejected records of the demo business: %d; the first: %s", len(rejected), rejected[0].Reason)
	}
	return err
}

// LoadAt is like Load, but generates the business for the given time. It adds what an
// interrupted LoadAt for the same time has not added. It does not change existing entities.
// It returns the entities that exist with different values.
func LoadAt(ctx context.Context, s *store.Store, at time.Time, size Size) (rejected []store.RejectedEntity, err error) {
	settings, err := s.Settings(ctx)
	if err != nil {
		return nil, err
	}
	business := Business(at, size)
	for _, total := range store.NewTotals(settings, append(store.OrderTallies(business), store.SubscriptionTallies(settings, business)...)) {
		business = append(business, total)
	}
	for _, quota := range store.NewQuotas(settings, business) {
		business = append(business, quota)
	}
	for _, counts := range store.NewStockCounts(business) {
		business = append(business, counts)
	}
	for entities := range slices.Chunk(business, chunk) {
		loaded, err := s.Load(ctx, entities, store.LoadOptions{TotalsIncluded: true})
		if err != nil {
			return rejected, err
		}
		rejected = append(rejected, loaded.Rejected...)
		clear(entities) // frees memory for the next entities
	}
	return rejected, nil
}
