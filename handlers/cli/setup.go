package cli

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"stockroom/store"
	"stockroom/store/demo"
	"stockroom/web"
)

// adminName is the name of the first user.
const adminName = "admin"

// addFirstAdmin adds an admin if the table has no users, and returns the admin's password.
// If the table has users, it returns "", and logs a warning if none of them is an active
// admin. With single sign-on, it logs no warning, because the provider can make users
// admins.
func (c *call) addFirstAdmin(ctx context.Context, s *store.Store, signOn *web.SingleSignOn) (string, error) {
	users, err := s.Users(ctx)
	if store.KindOf(err) == store.Busy && len(c.building) > 0 {
		return "", nil // the index of users is still being created, which happens only in a table that already has users
	}
	if err != nil {
		return "", err
	}
	if len(users) > 0 {
		if signOn == nil && !slices.ContainsFunc(users, func(u store.User) bool { return u.Role == store.Admin && !u.Disabled }) {
			c.log.Warn("there is no active admin: run " + c.commandsForAdmin(users))
		}
		return "", nil
	}
	password := store.OneTimePassword()
	admin := store.User{Name: adminName, Role: store.Admin, MustChange: !c.demo}
	err = s.AddUser(ctx, admin, password, store.Program)
	if store.KindOf(err) == store.Conflict {
		return "", nil // another server has just added the admin
	}
	return password, err
}

// commandsForAdmin returns the commands that make somebody an active admin. There is no
// active admin among the users.
func (c *call) commandsForAdmin(users []store.User) string {
	commands := "'" + c.fullCommand("user role NAME admin") + "' or '" + c.fullCommand("user add NAME -role admin") + "'"
	if i := slices.IndexFunc(users, func(u store.User) bool { return u.Role == store.Admin }); i >= 0 {
		commands = "'" + c.fullCommand("user unlock "+strconv.Quote(users[i].Name)) + "', " + commands
	}
	return commands
}

// loadDemo loads the demo business into an empty table, or continues an interrupted load.
// If the settings contain no payment service, it sets the service "record". If the table
// has other data, it loads nothing. It returns a message about the outcome.
func loadDemo(ctx context.Context, s *store.Store, size demo.Size) (string, error) {
	at, interrupted, err := s.UnfinishedDemo(ctx)
	if err != nil {
		return "", err
	}
	if !interrupted {
		hasData, err := s.HasBusiness(ctx)
		if err != nil {
			return "", err
		}
		if hasData {
			return fmt.Sprintf("Table %s already has data, so the demo business was not loaded.", s.Table()), nil
		}
		at = s.Now().Truncate(time.Second)
		if err := s.StartDemo(ctx, at); err != nil {
			return "", err
		}
	}
	rejected, err := demo.LoadAt(ctx, s, at, size)
	if err == nil && len(rejected) > 0 && !interrupted {
		err = fmt.Errorf("rejected records of the demo business: %d; the first: %s", len(rejected), rejected[0].Reason)
	}
	if err == nil {
		err = s.StatePayments(ctx, store.ServiceRecord)
	}
	if err == nil {
		err = s.FinishDemo(ctx)
	}
	switch {
	case err != nil:
		return "", err
	case !interrupted:
		return fmt.Sprintf("Loaded the demo business into table %s.", s.Table()), nil
	}
	sentence := fmt.Sprintf("Loaded the rest of the demo business into table %s.", s.Table())
	if len(rejected) > 0 {
		sentence += fmt.Sprintf(" Records that have changed since the interrupted start, and were kept: %d.", len(rejected))
	}
	return sentence, nil
}
