package demo

import (
	"context"
	"fmt"

	"stockroom/store"
)

// Load adds a demo business to a store, with its totals, quotas and stock counts.
func Load(ctx context.Context, s *store.Store, size Size) error {
	settings, err := s.Settings(ctx)
	if err != nil {
		return err
	}
	business := Business(s.Now(), size)
	for _, total := range store.NewTotals(settings, append(store.OrderTallies(business), store.SubscriptionTallies(settings, business)...)) {
		business = append(business, total)
	}
	for _, quota := range store.NewQuotas(settings, business) {
		business = append(business, quota)
	}
	for _, counts := range store.NewStockCounts(business) {
		business = append(business, counts)
	}
	loaded, err := s.Load(ctx, business, store.LoadOptions{TotalsIncluded: true})
	if err == nil && len(loaded.Rejected) > 0 {
		err = fmt.Errorf("%d entities of the demo business were rejected; the first: %s", len(loaded.Rejected), loaded.Rejected[0].Reason)
	}
	return err
}
