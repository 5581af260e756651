package store

import (
	"context"
	"slices"
	"strings"

	"stockroom/store/key"
)

// Program is the name under which the program itself acts.
const Program = "stockroom"

// maxScope bounds the places of one manager: pages ask for them one by one.
const maxScope = 20

// unknownUser is compared with where there is no such user, so that the
// answer takes as long and tells nobody which names exist. No password is
// known that it is the hash of.
const unknownUser = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

// Authenticate finds the user with this name and password. Whatever is wrong,
// it says the same.
func (s *Store) Authenticate(ctx context.Context, name, password string) (*User, error) {
	wrong := fail(Forbidden, "The name or the password is wrong.")
	user, err := readConsistently[*User](ctx, s, getUser, key.Map{"user": userName(name)})
	hash := unknownUser
	switch {
	case err == nil:
		hash = user.Hash
	case userName(name) != "" && KindOf(err) != NotFound:
		return nil, err
	}
	select {
	case s.hashing <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	ok, stale, err := verifyPassword(hash, password)
	<-s.hashing
	if err != nil {
		return nil, err
	}
	if user == nil || !ok || user.Disabled {
		return nil, wrong
	}
	if stale {
		return user, s.rehash(ctx, user, password)
	}
	return user, nil
}

// rehash hashes a password anew, with today's parameters.
func (s *Store) rehash(ctx context.Context, user *User, password string) error {
	seen := user.Version
	user.Hash = hashPassword(password)
	user.Version++
	c, err := s.change(ctx)
	if err != nil {
		return err
	}
	c.Replace(user, seen)
	return c.Commit(ctx)
}

// Users lists all accounts by name.
func (s *Store) Users(ctx context.Context) ([]User, error) {
	items, err := s.table.Partition(ctx, getUsers, nil, false)
	return decodeAll(items, err, decodeAs[User])
}

// AddUser makes an account. The password is checked and hashed; by is who
// acts.
func (s *Store) AddUser(ctx context.Context, user User, password, by string) error {
	if err := s.prepareUser(ctx, &user, password); err != nil {
		return err
	}
	c, err := s.change(ctx)
	if err != nil {
		return err
	}
	c.Create(&user)
	c.recordEvent(Event{Partition: user.Partition(), By: by, What: EventUserAdded, After: user.standing()})
	return taken(user, c.Commit(ctx))
}

// prepareUser makes an account of what was asked for, or says what is wrong
// with it.
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
	user.Hash, user.Version = hashPassword(password), 1
	return nil
}

// SetPassword gives an account another password and ends its sessions.
func (s *Store) SetPassword(ctx context.Context, name, password string, mustChange bool, by string) error {
	if err := checkPassword("password", password); err != nil {
		return err
	}
	return s.changeUser(ctx, name, by, EventUserPasswordChanged, func(u *User) {
		u.Hash, u.MustChange = hashPassword(password), mustChange
	})
}

// ChangePassword is SetPassword by the user, who has to know the old one.
func (s *Store) ChangePassword(ctx context.Context, name, old, password string) error {
	if _, err := s.Authenticate(ctx, name, old); err != nil {
		if KindOf(err) == Forbidden {
			return InvalidField("old", "This is not your present password.")
		}
		return err
	}
	if old == password {
		return InvalidField("password", "Choose a password that is not the present one.")
	}
	return s.SetPassword(ctx, name, password, false, name)
}

// DisableUser locks an account and ends its sessions. Who did what stays.
func (s *Store) DisableUser(ctx context.Context, name, by string) error {
	return s.changeUser(ctx, name, by, EventUserLocked, func(u *User) { u.Disabled = true })
}

// changeUser changes an account, whoever asks for it.
func (s *Store) changeUser(ctx context.Context, name, by string, what EventCode, change func(*User)) error {
	user, err := s.account(ctx, name)
	if err != nil {
		return err
	}
	before := *user
	change(user)
	c, err := s.change(ctx)
	if err != nil {
		return err
	}
	c.by = by
	return s.saveUser(ctx, c, before, user, what)
}

// userName is a name as accounts are kept: in lower case, so that two cannot
// differ in case alone.
func userName(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

func checkUser(u User) error {
	if err := key.CheckID(u.Name); err != nil {
		return InvalidField("name", "The account's name cannot be used: %v.", err)
	}
	if u.Name == Program {
		return InvalidField("name", "Under the name %s the program itself acts; choose another.", Program)
	}
	if !slices.Contains(Roles, u.Role) {
		return InvalidField("role", "%q is not a role: choose %s.", u.Role, RoleChoices())
	}
	places := slices.Concat(u.Warehouses, u.Stores)
	if len(places) > 0 && u.Role != Manager {
		return InvalidField("scope", "Only a manager has a scope.")
	}
	if len(places) > maxScope {
		return InvalidField("scope", "A manager can be in charge of %d places at most.", maxScope)
	}
	for _, id := range places {
		if err := key.CheckID(id); err != nil {
			return InvalidField("scope", "%q in the scope cannot be used: %v.", id, err)
		}
	}
	return nil
}

// checkPlaces refuses a scope with a place that is not there: its manager
// would be in charge of nothing.
func (s *Store) checkPlaces(ctx context.Context, u *User) error {
	for _, places := range []struct {
		pattern  *Pattern
		id, what string
		named    []string
	}{
		{getWarehouse, "warehouseID", "warehouse", u.Warehouses},
		{getStore, "storeULID", "store", u.Stores},
	} {
		values := make([]key.Map, len(places.named))
		for i, id := range places.named {
			values[i] = key.Map{places.id: id}
		}
		items, err := s.table.GetMany(ctx, places.pattern, values, true)
		if err != nil {
			return err
		}
		for i, id := range places.named {
			if items[i] == nil {
				return InvalidField("scope", "There is no %s %s.", places.what, id)
			}
		}
	}
	return nil
}

// How a scope names its places.
const (
	scopeWarehouse = "w#"
	scopeStore     = "store#"
)

// ParseScope reads places as Scope writes them: w#12345,store#7.
func ParseScope(text string) (warehouses, stores []string, err error) {
	for place := range strings.SplitSeq(text, ",") {
		place = strings.TrimSpace(place)
		if id, found := strings.CutPrefix(place, scopeWarehouse); found {
			warehouses = append(warehouses, id)
		} else if id, found := strings.CutPrefix(place, scopeStore); found {
			stores = append(stores, id)
		} else if place != "" {
			return nil, nil, InvalidField("scope", "%q is no place: write w#ID for a warehouse, store#ID for a store.", place)
		}
	}
	return warehouses, stores, nil
}
