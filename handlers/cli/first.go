package cli

import (
	"context"
	"fmt"

	"stockroom/store"
	"stockroom/store/demo"
)

// adminName is the name of the first account.
const adminName = "admin"

// firstAdmin gives a table without accounts its first one and returns the
// password, which is kept nowhere; "" where there are accounts.
func firstAdmin(ctx context.Context, s *store.Store, mustChange bool) (string, error) {
	users, err := s.Users(ctx)
	if err != nil || len(users) > 0 {
		return "", err
	}
	password := store.OneTimePassword()
	admin := store.User{Name: adminName, Role: store.Admin, MustChange: mustChange}
	err = s.AddUser(ctx, admin, password, store.Program)
	if store.KindOf(err) == store.Conflict {
		return "", nil // another server of this table was first, and has printed its password
	}
	return password, err
}

// loadDemo loads the demo business where there is no business yet, and says
// what it did.
func loadDemo(ctx context.Context, s *store.Store) (string, error) {
	there, err := s.HasBusiness(ctx)
	if err != nil {
		return "", err
	}
	if there {
		return fmt.Sprintf("The demo business was not loaded: the table %s holds a business already", s.Table()), nil
	}
	settings, err := s.Settings(ctx)
	if err != nil {
		return "", err
	}
	business := demo.Business(s.Now())
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
	return fmt.Sprintf("The demo business was loaded into the table %s", s.Table()), err
}
