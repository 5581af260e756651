package demo

import (
	"context"
	"fmt"

	"stockroom/store"
)

// Load puts the business as it is at the store's moment into its table, with
// the totals and quotas that a business which grew there would have counted.
func Load(ctx context.Context, s *store.Store) error {
	settings, err := s.Settings(ctx)
	if err != nil {
		return err
	}
	business := Business(s.Now())
	for _, total := range store.NewTotals(settings, append(store.OrderTallies(business), store.DueTallies(settings, business)...)) {
		business = append(business, total)
	}
	for _, quota := range store.NewQuotas(settings, business) {
		business = append(business, quota)
	}
	loaded, err := s.Load(ctx, business, store.Loading{})
	if err == nil && len(loaded.Refused) > 0 {
		err = fmt.Errorf("%d entities of the demo business were refused; the first: %s", len(loaded.Refused), loaded.Refused[0].Reason)
	}
	return err
}
