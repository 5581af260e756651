package store

import (
	"context"
	"crypto/rand"
	"reflect"
	"slices"
	"strings"

	"stockroom/store/key"
)

// Users returns all users, sorted by name.
func (a Access) Users(ctx context.Context) ([]User, error) {
	if err := a.require(Administer); err != nil {
		return nil, err
	}
	return a.store.Users(ctx)
}

// User makes a consistent read of a user. It returns NotFound if there is no such user.
func (a Access) User(ctx context.Context, name string) (*User, error) {
	if err := a.require(Administer); err != nil {
		return nil, err
	}
	return a.store.userForChange(ctx, name)
}

// AddUser creates a user and returns a one-time password. Only a hash of the password is
// stored. AddUser returns Invalid if a field is invalid, and Conflict if the name is taken.
// It has no form token: if a form is submitted again, AddUser must fail, because it no longer
// knows the password of the user.
func (a Access) AddUser(ctx context.Context, user User) (password string, err error) {
	if err := a.require(Administer); err != nil {
		return "", err
	}
	user.Name = userName(user.Name)
	var wrong InputErrors
	for _, err := range []error{checkNewName(user.Name), checkUser(user), requirePlaces(user)} {
		if err := wrong.Add(err); err != nil {
			return "", err
		}
	}
	if err := wrong.Err(); err != nil {
		return "", err
	}
	password = OneTimePassword()
	user.MustChange = true
	if err := a.store.prepareUser(ctx, &user, password); err != nil {
		return "", err
	}
	c, err := a.newUserChange(ctx, "")
	if err != nil {
		return "", err
	}
	c.Create(&user)
	c.recordEvent(Event{Partition: user.Partition(), What: EventUserAdded, After: user.describeRole()})
	return password, nameTaken(user, c.Commit(ctx))
}

// checkNewName returns Invalid if a new name is hard to type or to read aloud.
// Existing users may have such names.
func checkNewName(name string) error {
	allowed := func(r rune) bool {
		return 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || strings.ContainsRune(".-_@", r)
	}
	if strings.ContainsFunc(userName(name), func(r rune) bool { return !allowed(r) }) {
		return InvalidField("name", "Use only letters a to z, digits, dots, hyphens, underscores and @. No spaces or accents.")
	}
	return nil
}

// requirePlaces returns Invalid for a manager without warehouses and stores.
func requirePlaces(user User) error {
	if user.Role == Manager && len(user.Warehouses)+len(user.Stores) == 0 {
		return InvalidField("scope", "Enter at least one warehouse or store for the manager.")
	}
	return nil
}

// ChangeRole changes a user's role, warehouses and stores, and ends the user's sessions.
// It returns NotFound if there is no such user. It returns Invalid if users change their own
// role, or if the new role, a warehouse or a store is invalid. It returns Conflict if the
// version is outdated, and ErrUnchanged if the user already has this role, these warehouses
// and these stores.
func (a Access) ChangeRole(ctx context.Context, name string, version int, role Role, warehouses, stores []string, token string) error {
	return a.changeOtherUser(ctx, name, version, token, EventUserRoleChanged, a.store.assignRole(ctx, role, warehouses, stores))
}

// assignRole returns a function that sets the role, the warehouses and the stores of a user.
// The function returns Invalid if one of them is invalid.
func (s *Store) assignRole(ctx context.Context, role Role, warehouses, stores []string) func(*User) error {
	return func(u *User) error {
		u.Role, u.Warehouses, u.Stores = role, append([]string(nil), warehouses...), append([]string(nil), stores...) // nil if empty, as in the table
		if err := checkUser(*u); err != nil {
			return err
		}
		if err := requirePlaces(*u); err != nil {
			return err
		}
		return s.checkPlaces(ctx, u)
	}
}

// SetLocked locks or unlocks a user, and ends the user's sessions. It returns NotFound if
// there is no such user, Invalid if users lock themselves, Conflict if the version is
// outdated, or ErrUnchanged if the user is already locked or unlocked.
func (a Access) SetLocked(ctx context.Context, name string, version int, locked bool, token string) error {
	what := EventUserUnlocked
	if locked {
		what = EventUserLocked
	}
	return a.changeOtherUser(ctx, name, version, token, what, func(u *User) error {
		u.Disabled = locked
		return nil
	})
}

// ResetPassword sets a one-time password and returns it. It has no form token, for
// the same reason as AddUser. It returns NotFound if there is no such user, Invalid if users
// reset their own password, or Conflict if the version is outdated.
func (a Access) ResetPassword(ctx context.Context, name string, version int) (password string, err error) {
	password = OneTimePassword()
	return password, a.changeOtherUser(ctx, name, version, "", EventUserPasswordReset, func(u *User) error {
		a.store.setPassword(u, password, true)
		return nil
	})
}

// SessionsOf returns the active sessions of a user, newest first.
func (a Access) SessionsOf(ctx context.Context, name string) ([]Session, error) {
	if err := a.require(Administer); err != nil {
		return nil, err
	}
	all, err := a.store.SessionsOf(ctx, name)
	slices.SortFunc(all, func(x, y Session) int { return y.Created.Compare(x.Created) })
	return all, err
}

// EndSessionsOf ends all sessions of a user.
func (a Access) EndSessionsOf(ctx context.Context, name string) error {
	if err := a.require(Administer); err != nil {
		return err
	}
	user, err := a.store.userForChange(ctx, name)
	if err != nil {
		return err
	}
	if all, err := a.store.SessionsOf(ctx, user.Name); err != nil || len(all) == 0 {
		return err
	}
	c, err := a.change(ctx, "")
	if err != nil {
		return err
	}
	c.recordEvent(Event{Partition: user.Partition(), What: EventUserSessionsEnded})
	if err := c.Commit(ctx); err != nil {
		return err
	}
	return a.store.endSessionsOf(ctx, user.Name)
}

func (a Access) changeOtherUser(ctx context.Context, name string, version int, token string, what EventCode, change func(*User) error) error {
	if err := a.require(Administer); err != nil {
		return err
	}
	if userName(name) == a.user.Name {
		return fail(Invalid, "You can't make this change to your own user. Ask another admin.")
	}
	user, err := a.store.userForChange(ctx, name)
	if err != nil {
		return err
	}
	before := *user
	if err := change(user); err != nil {
		return err
	}
	c, err := a.newUserChange(ctx, token)
	if err != nil {
		return err
	}
	switch {
	case before.Version != version:
		return c.rejectOutdated(ctx, user.Partition())
	case reflect.DeepEqual(before, *user):
		return ErrUnchanged
	}
	return a.store.saveUser(ctx, c, before, user, Event{What: what})
}

// newUserChange returns a change that fails unless the signed-in user is still an
// active admin. The role in the session may be outdated.
func (a Access) newUserChange(ctx context.Context, token string) (*change, error) {
	actor, err := a.store.userForChange(ctx, a.user.Name)
	if err != nil {
		return nil, err
	}
	if !actor.isActiveAdmin() {
		return nil, fail(Forbidden, "Your role no longer allows this.")
	}
	c, err := a.change(ctx, token)
	if err != nil {
		return nil, err
	}
	c.Check(actor, actor.Version)
	return c, nil
}

// saveUser replaces a user and then ends the user's sessions, because a session
// contains the user's earlier role; see endChangedSessions.
func (s *Store) saveUser(ctx context.Context, c *change, before User, user *User, e Event) error {
	user.Version = before.Version + 1
	c.Replace(user, before.Version)
	e.Partition = user.Partition()
	if from, to := before.describeRole(), user.describeRole(); from != to {
		e.Before, e.After = from, to
	}
	e.Values = eventValues(userState.values(&before, user, "")...)
	c.recordEvent(e)
	if user.Hash != before.Hash || before.Disabled && !user.Disabled {
		c.clearSignInCounts(user.Name)
	}
	if before.SecondFactor && !user.SecondFactor {
		if err := s.deleteFactor(ctx, c, user.Name); err != nil {
			return err
		}
	}
	if before.isActiveAdmin() && !user.isActiveAdmin() {
		if err := s.keepAnAdmin(ctx, c, user.Name); err != nil {
			return err
		}
	}
	if err := c.Commit(ctx); err != nil {
		return err
	}
	s.endChangedSessions(ctx, user.Name)
	return nil
}

// keepAnAdmin makes the change fail unless another active admin exists and is
// unchanged. If two admins demote each other at the same time, only one change can
// therefore succeed.
func (s *Store) keepAnAdmin(ctx context.Context, c *change, leaving string) error {
	users, err := s.Users(ctx)
	if err != nil {
		return err
	}
	for i := range users {
		other := &users[i]
		switch {
		case other.Name == leaving || !other.isActiveAdmin():
		case c.by == other.Name:
			return nil // newUserChange has already added the condition
		default:
			c.Check(other, other.Version)
			return nil
		}
	}
	return fail(Invalid, "%s is the last admin. Make another user an admin first.", leaving)
}

func (s *Store) userForChange(ctx context.Context, name string) (*User, error) {
	user, err := readConsistently[*User](ctx, s, getUser, key.Map{"user": userName(name)})
	if KindOf(err) == NotFound {
		return nil, fail(NotFound, "User %s not found.", name)
	}
	return user, err
}

// CurrentUser reads a user whose change takes long. It returns Forbidden if the user does not
// exist, is locked or no longer has the permission.
func (s *Store) CurrentUser(ctx context.Context, name string, p Permission) (*User, error) {
	user, err := s.userForChange(ctx, name)
	if err != nil && KindOf(err) != NotFound {
		return nil, err
	}
	if err != nil || user.Disabled || !user.May(p) {
		return nil, errNotAllowedAnymore(name)
	}
	return user, nil
}

func errNotAllowedAnymore(name string) error {
	return fail(Forbidden, "User %s is locked or is no longer allowed to make this change.", name)
}

// nameTaken turns a Conflict into an error for the name field. The Conflict means that a
// user with this name exists.
func nameTaken(user User, err error) error {
	if KindOf(err) == Conflict {
		return &Error{Kind: Conflict, Field: "name", Message: "User " + user.Name + " already exists."}
	}
	return err
}

func (u *User) isActiveAdmin() bool { return u.Role == Admin && !u.Disabled }

// describeRole describes the role, scope and lock of the user, for events.
func (u *User) describeRole() string {
	text := string(u.Role)
	if scope := u.Scope(); scope != "" {
		text += " of " + scope
	}
	if u.Disabled {
		text += ", locked"
	}
	return text
}

// Partition returns the partition key of the user and the user's events.
func (u *User) Partition() string { return partitionOf(getUser, "user", u.Name) }

// OneTimePassword returns a random password of 130 bits, in groups that are easy to
// read aloud. OWASP ASVS 5.0, 11.5.1, requires 128 bits.
func OneTimePassword() string {
	text := strings.ToLower(rand.Text())[:26] // 5 bits each
	return strings.Join([]string{text[0:5], text[5:10], text[10:15], text[15:20], text[20:26]}, "-")
}
