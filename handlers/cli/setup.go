package cli

import (
	"context"
	"fmt"

	"stockroom/store"
	"stockroom/store/demo"
)

// adminName is the name of the first user.
const adminName = "admin"

// addFirstAdmin adds an admin if the table has no users. It returns the admin's
// password, which is stored only as a hash, or "" if the table has users.
func addFirstAdmin(ctx context.Context, s *store.Store, mustChange bool) (string, error) {
	users, err := s.Users(ctx)
	if err != nil || len(users) > 0 {
		return "", err
	}
	password := store.OneTimePassword()
	admin := store.User{Name: adminName, Role: store.Admin, MustChange: mustChange}
	err = s.AddUser(ctx, admin, password, store.Program)
	if store.KindOf(err) == store.Conflict {
		return "", nil // another server has just added the admin
	}
	return password, err
}

// loadDemo loads the demo business into an empty table. It also sets the payment
// service to record, unless the settings already name a service. It returns a
// sentence for the user.
func loadDemo(ctx context.Context, s *store.Store) (string, error) {
	hasData, err := s.HasBusiness(ctx)
	if err != nil {
		return "", err
	}
	if hasData {
		return fmt.Sprintf("Table %s already has data, so the demo business was not loaded.", s.Table()), nil
	}
	if err := demo.Load(ctx, s, demo.Full); err != nil {
		return "", err
	}
	if err := s.StatePayments(ctx, store.ServiceRecord); err != nil {
		return "", err
	}
	return fmt.Sprintf("Loaded the demo business into table %s.", s.Table()), nil
}
