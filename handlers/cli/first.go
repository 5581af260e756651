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
	if err := demo.Load(ctx, s); err != nil {
		return "", err
	}
	return fmt.Sprintf("The demo business was loaded into the table %s", s.Table()), nil
}
