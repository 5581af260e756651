package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"stockroom/store"
)

func addUser(ctx context.Context, c *call) error {
	user := store.User{Name: c.args[0], MustChange: c.oneTime}
	if err := c.setRole(&user, c.role); err != nil {
		return err
	}
	password, err := c.newPassword(ctx, user.Name)
	if err != nil {
		return err
	}
	return c.withStore(ctx, true, func(s *store.Store) error {
		if err := s.AddUser(ctx, user, password, store.Program); err != nil {
			return err
		}
		fmt.Fprintf(c.stdout, "Added user %s with role %s.\n", user.Name, user.Role)
		return c.printOneTimePassword(password)
	})
}

// setRole sets the role of a user, and the warehouses and stores of -scope. It returns a
// usageError if they are invalid.
func (c *call) setRole(u *store.User, role string) (err error) {
	u.Role = store.Role(role)
	if u.Warehouses, u.Stores, err = store.ParseScope(c.scope); err != nil {
		return usageError(message(err))
	}
	switch {
	case !slices.Contains(store.Roles, u.Role):
		return usagef("%q is not a role: choose %s", role, store.RoleChoices())
	case c.scope != "" && u.Role != store.Manager:
		return usagef("-scope is only for managers")
	case c.scope == "" && u.Role == store.Manager:
		return usagef("a manager needs -scope: enter at least one warehouse or store")
	}
	return nil
}

func changePassword(ctx context.Context, c *call) error {
	name := c.args[0]
	password, err := c.newPassword(ctx, name)
	if err != nil {
		return err
	}
	return c.withStore(ctx, false, func(s *store.Store) error {
		if err := s.SetPassword(ctx, name, password, c.oneTime, store.Program); err != nil {
			return err
		}
		fmt.Fprintf(c.stdout, "Changed the password of user %s and ended their sessions.\n", name)
		return c.printOneTimePassword(password)
	})
}

var (
	resetSecondFactor = changeUser((*store.Store).ResetSecondFactor, "Reset the second factor of user %s and ended their sessions.\n", "User %s has no second factor.\n")
	lockUser          = changeUser((*store.Store).LockUser, "Locked user %s and ended their sessions.\n", "User %s is already locked.\n")
	unlockUser        = changeUser((*store.Store).UnlockUser, "Unlocked user %s.\n", "User %s is not locked. Cleared their failed attempts to sign in.\n")
)

// changeUser returns a command that changes the user whose name is its argument. The
// arguments done and unchanged are formats of messages, with %s for this name. unchanged is
// the message if the user already was as requested.
func changeUser(change func(s *store.Store, ctx context.Context, name, by string) error, done, unchanged string) func(context.Context, *call) error {
	return func(ctx context.Context, c *call) error {
		return c.withStore(ctx, false, func(s *store.Store) error {
			message := done
			switch err := change(s, ctx, c.args[0], store.Program); {
			case errors.Is(err, store.ErrUnchanged):
				message = unchanged
			case err != nil:
				return err
			}
			fmt.Fprintf(c.stdout, message, c.args[0])
			return nil
		})
	}
}

func changeRole(ctx context.Context, c *call) error {
	user := store.User{Name: c.args[0]}
	if err := c.setRole(&user, c.args[1]); err != nil {
		return err
	}
	return c.withStore(ctx, false, func(s *store.Store) error {
		err := s.ChangeRole(ctx, user.Name, user.Role, user.Warehouses, user.Stores, store.Program)
		if errors.Is(err, store.ErrUnchanged) {
			fmt.Fprintf(c.stdout, "User %s already has this role and scope.\n", user.Name)
			return nil
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(c.stdout, "Changed the role of user %s to %s and ended their sessions.\n", user.Name, user.Role)
		return nil
	})
}

func listUsers(ctx context.Context, c *call) error {
	return c.withStore(ctx, false, func(s *store.Store) error {
		users, err := s.Users(ctx)
		if err != nil {
			return err
		}
		printColumns(c.stdout, func(row func(...string)) {
			row("NAME", "ROLE", "SCOPE", "STATE")
			for _, u := range users {
				row(u.Name, string(u.Role), u.Scope(), userState(u))
			}
		})
		return nil
	})
}

func userState(u store.User) string {
	switch {
	case u.Disabled:
		return "locked"
	case u.MustChange:
		return "must change password"
	}
	return "active"
}
