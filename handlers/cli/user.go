package cli

import (
	"context"
	"fmt"

	"stockroom/store"
)

func addUser(ctx context.Context, c *call) error {
	warehouses, stores, err := store.ParseScope(c.scope)
	if err != nil {
		return err
	}
	user := store.User{Name: c.args[0], Role: store.Role(c.role), Warehouses: warehouses, Stores: stores, MustChange: c.oneTime}
	password, err := c.password(ctx, user.Name)
	if err != nil {
		return err
	}
	return c.withBusiness(ctx, true, func(s *store.Store) error {
		if err := s.AddUser(ctx, user, password, store.Program); err != nil {
			return err
		}
		fmt.Fprintf(c.stdout, "The account %s was added, as %s.\n", user.Name, user.Role)
		return c.sayOneTime(password)
	})
}

func changePassword(ctx context.Context, c *call) error {
	name := c.args[0]
	password, err := c.password(ctx, name)
	if err != nil {
		return err
	}
	return c.withBusiness(ctx, false, func(s *store.Store) error {
		if err := s.SetPassword(ctx, name, password, c.oneTime, store.Program); err != nil {
			return err
		}
		fmt.Fprintf(c.stdout, "The account %s has another password; its sessions have ended.\n", name)
		return c.sayOneTime(password)
	})
}

func disableUser(ctx context.Context, c *call) error {
	return c.withBusiness(ctx, false, func(s *store.Store) error {
		if err := s.DisableUser(ctx, c.args[0], store.Program); err != nil {
			return err
		}
		fmt.Fprintf(c.stdout, "The account %s is locked; its sessions have ended.\n", c.args[0])
		return nil
	})
}

func listUsers(ctx context.Context, c *call) error {
	return c.withBusiness(ctx, false, func(s *store.Store) error {
		users, err := s.Users(ctx)
		if err != nil {
			return err
		}
		columns(c.stdout, func(row func(...string)) {
			row("NAME", "ROLE", "SCOPE", "STATE")
			for _, u := range users {
				row(u.Name, string(u.Role), u.Scope(), stateOf(u))
			}
		})
		return nil
	})
}

func stateOf(u store.User) string {
	switch {
	case u.Disabled:
		return "locked"
	case u.MustChange:
		return "must change the password"
	}
	return "active"
}
