package store

import (
	"context"
	"crypto/rand"
	"strings"

	"stockroom/store/key"
)

// Accounts lists all accounts by name.
func (a Access) Accounts(ctx context.Context) ([]User, error) {
	if err := a.require(Administer); err != nil {
		return nil, err
	}
	return a.store.Users(ctx)
}

// Account is one account, read consistently: what it shows leads to a change.
func (a Access) Account(ctx context.Context, name string) (*User, error) {
	if err := a.require(Administer); err != nil {
		return nil, err
	}
	return a.store.account(ctx, name)
}

// OpenAccount makes an account with a one-time password, which it returns: it
// is kept nowhere, so it is to be shown at once. It takes no token of a form:
// the same form sent again must not be answered as done, with a password that
// opens nothing.
func (a Access) OpenAccount(ctx context.Context, user User) (password string, err error) {
	if err := a.require(Administer); err != nil {
		return "", err
	}
	password = OneTimePassword()
	user.MustChange = true
	if err := a.store.prepareUser(ctx, &user, password); err != nil {
		return "", err
	}
	c, err := a.accountChange(ctx, "")
	if err != nil {
		return "", err
	}
	c.Create(&user)
	c.recordEvent(Event{Partition: user.Partition(), What: EventUserAdded, After: user.standing()})
	return password, taken(user, c.Commit(ctx))
}

// ChangeRole gives an account, as it was seen in this version, another role or
// other places. All its log-ins end. Nobody changes what they themselves may:
// that takes another admin.
func (a Access) ChangeRole(ctx context.Context, name string, version int, role Role, warehouses, stores []string, once string) error {
	return a.changeAccount(ctx, name, version, once, EventUserRoleChanged, func(u *User) error {
		u.Role, u.Warehouses, u.Stores = role, warehouses, stores
		if err := checkUser(*u); err != nil {
			return err
		}
		return a.store.checkPlaces(ctx, u)
	})
}

// SetDisabled locks an account, which ends its log-ins, or opens it again.
func (a Access) SetDisabled(ctx context.Context, name string, version int, disabled bool, once string) error {
	what := EventUserUnlocked
	if disabled {
		what = EventUserLocked
	}
	return a.changeAccount(ctx, name, version, once, what, func(u *User) error {
		u.Disabled = disabled
		return nil
	})
}

// ResetPassword gives an account a one-time password, which it returns. It
// takes no token of a form, for the reason that OpenAccount has.
func (a Access) ResetPassword(ctx context.Context, name string, version int) (password string, err error) {
	password = OneTimePassword()
	return password, a.changeAccount(ctx, name, version, "", EventUserPasswordReset, func(u *User) error {
		u.Hash, u.MustChange = hashPassword(password), true
		return nil
	})
}

// changeAccount changes somebody else's account.
func (a Access) changeAccount(ctx context.Context, name string, version int, once string, what EventCode, change func(*User) error) error {
	if err := a.require(Administer); err != nil {
		return err
	}
	if userName(name) == a.user.Name {
		return fail(Invalid, "This is your own account: another admin has to do that.")
	}
	user, err := a.store.account(ctx, name)
	if err != nil {
		return err
	}
	before := *user
	if err := change(user); err != nil {
		return err
	}
	c, err := a.accountChange(ctx, once)
	if err != nil {
		return err
	}
	before.Version = version
	return a.store.saveUser(ctx, c, before, user, what)
}

// accountChange begins a change of accounts. A log-in knows its user as they
// were when it began; whoever hands out roles has to be an admin still when
// the change is made.
func (a Access) accountChange(ctx context.Context, once string) (*change, error) {
	actor, err := a.store.account(ctx, a.user.Name)
	if err != nil {
		return nil, err
	}
	if !actor.leads() {
		return nil, fail(Forbidden, "Your role does not include this any more.")
	}
	c, err := a.change(ctx, once)
	if err != nil {
		return nil, err
	}
	c.Check(actor, actor.Version)
	return c, nil
}

// saveUser puts an account in the place of what it was before, and then ends
// its sessions: what they hold of the user is no longer true.
func (s *Store) saveUser(ctx context.Context, c *change, before User, user *User, what EventCode) error {
	user.Version = before.Version + 1
	c.Replace(user, before.Version)
	e := Event{Partition: user.Partition(), What: what}
	if was, is := before.standing(), user.standing(); was != is {
		e.Before, e.After = was, is
	}
	c.recordEvent(e)
	if before.leads() && !user.leads() {
		if err := s.keepAnAdmin(ctx, c, user.Name); err != nil {
			return err
		}
	}
	if err := c.Commit(ctx); err != nil {
		return err
	}
	return s.endSessionsOf(ctx, user.Name)
}

// keepAnAdmin has a change that takes an admin away depend on another one
// staying as they are. So two who take each other's role away at once cannot
// both succeed.
func (s *Store) keepAnAdmin(ctx context.Context, c *change, leaving string) error {
	users, err := s.Users(ctx)
	if err != nil {
		return err
	}
	for i := range users {
		other := &users[i]
		switch {
		case other.Name == leaving || !other.leads():
		case c.by == other.Name:
			return nil // who makes the change stays: accountChange sees to it
		default:
			c.Check(other, other.Version)
			return nil
		}
	}
	return fail(Invalid, "%s is the last admin: make somebody else one first.", leaving)
}

func (s *Store) account(ctx context.Context, name string) (*User, error) {
	user, err := readConsistently[*User](ctx, s, getUser, key.Map{"user": userName(name)})
	if KindOf(err) == NotFound {
		return nil, fail(NotFound, "There is no account %s.", name)
	}
	return user, err
}

// taken says what a conflict means where an account was to be made.
func taken(user User, err error) error {
	if KindOf(err) == Conflict {
		return &Error{Kind: Conflict, Field: "name", Message: "There is an account " + user.Name + " already."}
	}
	return err
}

// leads says whether the user is an admin who can log in.
func (u *User) leads() bool { return u.Role == Admin && !u.Disabled }

// standing is what the user may, for the history.
func (u *User) standing() string {
	text := string(u.Role)
	if scope := u.Scope(); scope != "" {
		text += " of " + scope
	}
	if u.Disabled {
		text += ", locked"
	}
	return text
}

// Scope writes the places in the user's charge as ParseScope reads them.
func (u *User) Scope() string {
	var places []string
	for _, id := range u.Warehouses {
		places = append(places, scopeWarehouse+id)
	}
	for _, id := range u.Stores {
		places = append(places, scopeStore+id)
	}
	return strings.Join(places, ",")
}

// Partition is the key under which the account and its events lie.
func (u *User) Partition() string { return partitionOf(getUser, "user", u.Name) }

// OneTimePassword is made of 80 random bits, in groups that can be read out.
func OneTimePassword() string {
	text := strings.ToLower(rand.Text())
	return strings.Join([]string{text[0:4], text[4:8], text[8:12], text[12:16]}, "-")
}
