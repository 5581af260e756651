package store

import (
	"cmp"
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"

	"stockroom/store/key"
)

// Program is the user name in events that the program itself records.
const Program = "stockroom"

// programPartition is the partition of events about what the program itself did, such as an
// export on the command line.
var programPartition = (&User{Name: Program}).Partition()

// IsProgram reports whether a partition contains the events about the program itself.
func IsProgram(partition string) bool { return partition == programPartition }

// Authenticate returns the user with this name and password. It returns the same
// Forbidden error for an unknown name, a wrong password, an expired one-time password
// and a locked user.
func (s *Store) Authenticate(ctx context.Context, name, password string) (user *User, err error) {
	err = retryOnConflict(ctx, func() error {
		var fresh string
		if user, fresh, err = s.checkUserPassword(ctx, name, password); err == nil && fresh != "" {
			err = s.replaceHash(ctx, user, fresh)
		}
		return err
	})
	if err == nil && user.isExpired(s.now()) {
		return nil, errWrongPassword()
	}
	return user, err
}

func errWrongPassword() error { return fail(Forbidden, "The name or the password is wrong.") }

// checkUserPassword is like Authenticate, but accepts an expired one-time password. If the
// parameters of the stored hash are outdated, it also returns a new hash, which it does not
// store.
func (s *Store) checkUserPassword(ctx context.Context, name, password string) (found *User, fresh string, err error) {
	user, err := readConsistently[*User](ctx, s, getUser, key.Map{"user": userName(name)})
	hash := s.argon.unknownUserHash()
	switch {
	case err == nil:
		hash = user.Hash
	case userName(name) != "" && KindOf(err) != NotFound:
		return nil, "", err
	}
	select {
	case s.hashing <- struct{}{}: // use a free slot even if the client has disconnected, so that the outcome is recorded
	default:
		select {
		case s.hashing <- struct{}{}:
		case <-ctx.Done():
			return nil, "", ctx.Err()
		}
	}
	ok, stale, err := s.argon.verify(hash, password)
	ok = ok && user != nil && !user.Disabled
	if ok && stale {
		fresh = s.argon.hash(password)
	}
	<-s.hashing
	switch {
	case err != nil:
		return nil, "", err
	case !ok:
		return nil, "", errWrongPassword()
	}
	return user, fresh, nil
}

// replaceHash stores a hash of the user's password with the current parameters.
func (s *Store) replaceHash(ctx context.Context, user *User, fresh string) error {
	seen := user.Version
	user.Hash = fresh
	user.Version++
	c, err := s.change(ctx)
	if err != nil {
		return err
	}
	c.Replace(user, seen)
	return c.Commit(ctx)
}

// Users returns all users, sorted by name.
func (s *Store) Users(ctx context.Context) ([]User, error) {
	items, err := s.table.Partition(ctx, getUsers, nil, false)
	return decodeAll(items, err, decodeAs[User])
}

// AddUser creates a user. It returns Invalid if the user or the password is invalid, or
// Conflict if the name is taken. The argument by is the name of the acting user.
func (s *Store) AddUser(ctx context.Context, user User, password, by string) error {
	if err := s.prepareUser(ctx, &user, password); err != nil {
		return err
	}
	c, err := s.change(ctx)
	if err != nil {
		return err
	}
	c.Create(&user)
	c.recordEvent(Event{Partition: user.Partition(), By: by, What: EventUserAdded, After: user.describeRole()})
	return nameTaken(user, c.Commit(ctx))
}

// prepareUser checks a new user, and sets the name and the password hash in their stored
// form. It returns Invalid if checkUser, checkPassword or checkPlaces returns Invalid.
func (s *Store) prepareUser(ctx context.Context, user *User, password string) error {
	user.Name = userName(user.Name)
	if err := checkUser(*user); err != nil {
		return err
	}
	if err := checkPassword("password", password); err != nil {
		return err
	}
	if err := s.checkPlaces(ctx, user); err != nil {
		return err
	}
	s.setPassword(user, password, user.MustChange)
	user.Version = 1
	return nil
}

// SetPassword changes a user's password and ends the user's sessions. It returns Invalid
// if checkPassword rejects the password, or NotFound if there is no such user.
func (s *Store) SetPassword(ctx context.Context, name, password string, mustChange bool, by string) error {
	if err := checkPassword("password", password); err != nil {
		return err
	}
	return s.changeUser(ctx, name, by, EventUserPasswordChanged, func(u *User) error {
		s.setPassword(u, password, mustChange)
		return nil
	})
}

// ChangePassword changes the password of the signed-in user. It returns Invalid if the
// argument old is not the current password, or if the new password equals it or is
// rejected by checkPassword.
func (s *Store) ChangePassword(ctx context.Context, name, old, password string) error {
	// A fresh hash of the old password is not stored: ContinueSession requires that the
	// user changes only once.
	if _, _, err := s.checkUserPassword(ctx, name, old); err != nil {
		if KindOf(err) == Forbidden {
			return InvalidField("old", "This is not your current password.")
		}
		return err
	}
	if old == password {
		return InvalidField("password", "Choose a password that differs from the current one.")
	}
	return s.SetPassword(ctx, name, password, false, name)
}

// ErrUnchanged says that a user already has the requested state and was not written.
var ErrUnchanged = errors.New("the user is unchanged")

// LockUser locks a user and ends the user's sessions. The history of the user's
// changes remains. It returns ErrUnchanged if the user is locked already.
func (s *Store) LockUser(ctx context.Context, name, by string) error {
	return s.changeUser(ctx, name, by, EventUserLocked, func(u *User) error {
		u.Disabled = true
		return nil
	})
}

// UnlockUser lets a locked user sign in again, and ends the user's sessions. It also clears
// the failed attempts to sign in. If the user is not locked, it only clears these attempts,
// records this in the history, and returns ErrUnchanged.
func (s *Store) UnlockUser(ctx context.Context, name, by string) error {
	err := s.changeUser(ctx, name, by, EventUserUnlocked, func(u *User) error {
		u.Disabled = false
		return nil
	})
	if !errors.Is(err, ErrUnchanged) {
		return err
	}
	c, err := s.change(ctx)
	if err != nil {
		return err
	}
	c.clearSignInCounts(userName(name))
	c.recordEvent(Event{Partition: (&User{Name: userName(name)}).Partition(), By: by, What: EventUserAttemptsCleared})
	return cmp.Or(c.Commit(ctx), ErrUnchanged)
}

// ChangeRole changes a user's role, warehouses and stores, and ends the user's sessions. It
// returns Invalid if the role, a warehouse or a store is invalid, or if the user is the last
// admin. It returns ErrUnchanged if the user already has this role, these warehouses and these
// stores.
func (s *Store) ChangeRole(ctx context.Context, name string, role Role, warehouses, stores []string, by string) error {
	return s.changeUser(ctx, name, by, EventUserRoleChanged, s.assignRole(ctx, role, warehouses, stores))
}

// changeUser changes a user without checking permissions: for the command line, or for
// users who change their own password. It returns ErrUnchanged if the function change changes
// nothing.
func (s *Store) changeUser(ctx context.Context, name, by string, what EventCode, change func(*User) error) error {
	user, err := s.userForChange(ctx, name)
	if err != nil {
		return err
	}
	before := *user
	if err := change(user); err != nil {
		return err
	}
	if reflect.DeepEqual(before, *user) {
		return ErrUnchanged
	}
	c, err := s.change(ctx)
	if err != nil {
		return err
	}
	c.by = by
	return s.saveUser(ctx, c, before, user, Event{What: what})
}

// userName returns a name in its stored form: lower case, so that two names cannot
// differ only in case.
func userName(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

func checkUser(u User) error {
	var wrong InputErrors
	if u.Name == "" {
		wrong.Reject("name", "Enter a user name.")
	} else if err := key.CheckID(u.Name); err != nil {
		wrong.Reject("name", "This user name can't be used: %v.", err)
	}
	if u.Name == Program {
		wrong.Reject("name", "The name %s is reserved. Choose another.", Program)
	}
	if !slices.Contains(Roles, u.Role) {
		wrong.Reject("role", "“%s” is not a role. Choose %s.", u.Role, RoleChoices())
	}
	places := slices.Concat(u.Warehouses, u.Stores)
	if len(places) > 0 && u.Role != Manager {
		wrong.Reject("scope", "Only managers can have warehouses or stores.")
	}
	if len(places) > maxScope {
		wrong.Reject("scope", "Enter at most %d warehouses and stores in total.", maxScope)
	}
	for _, id := range places {
		if err := key.CheckID(id); err != nil {
			wrong.Reject("scope", "“%s” is not the ID of a warehouse or store: %v.", id, err)
		}
	}
	return wrong.Err()
}
