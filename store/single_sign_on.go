package store

import (
	"context"
	"crypto/rand"
	"fmt"

	"stockroom/store/key"
)

// ProviderUser is what the identity provider says about a person who signs in.
type ProviderUser struct {
	Issuer  string
	Subject string
	Names   []string // suggested user names, best first; used only for a new user
	Taken   string   // a name that new users do not get; "" if there is none
	Role    Role     // role that the groups of the person give; "" if none of them has a role
}

// maxNameSuffix is the largest number that is appended to a user name that is taken.
const maxNameSuffix = 20

// maxProviderName is the maximum length of a new user's name that comes from the
// provider, in characters.
const maxProviderName = 60

// SignInFromProvider returns the user of a person whom the identity provider has
// authenticated. It creates the user at the first sign-in, and sets the role that the
// groups give. Issuer and subject identify the person, never a name or an email address,
// which the provider may give to somebody else later. SignInFromProvider returns Forbidden
// if the user is locked, if the change would remove the last admin, or if no group has a
// role. If no group has a role, it also ends the access of the user; see endProviderAccess.
// With Forbidden, it also returns the user, or nil if there is none.
func (s *Store) SignInFromProvider(ctx context.Context, p ProviderUser) (user *User, err error) {
	err = retryOnConflict(ctx, func() error {
		user, err = s.signInFromProviderOnce(ctx, p)
		return err
	})
	return user, err
}

func (s *Store) signInFromProviderOnce(ctx context.Context, p ProviderUser) (*User, error) {
	identity, err := s.identity(ctx, p.Issuer, p.Subject)
	switch {
	case KindOf(err) == NotFound && p.Role == "":
		return nil, errNoRole()
	case KindOf(err) == NotFound:
		return s.addProviderUser(ctx, p)
	case err != nil:
		return nil, err
	}
	user, err := s.userForChange(ctx, identity.User)
	switch {
	case err != nil:
		return nil, err
	case p.Role == "":
		if err := s.endProviderAccess(ctx, user); err != nil {
			return nil, err
		}
		return user, errNoRole()
	case user.Disabled:
		return user, fail(Forbidden, "Your user is locked. Ask an admin of Stockroom to unlock it.")
	case user.Role == p.Role:
		return user, nil
	}
	return user, s.changeProviderRole(ctx, user, p.Role)
}

// endProviderAccess revokes the access tokens of a user without a role, ends the user's
// sessions, and removes the email address, so that the user gets no more notices and lists
// of saved views. It always changes the version of the user: this ends sessions that the
// index does not contain yet; see touch.
func (s *Store) endProviderAccess(ctx context.Context, user *User) error {
	tokens, err := s.storedAccessTokensOf(ctx, user.Name)
	if err != nil {
		return err
	}
	const why = "Not in a group with access"
	before := *user
	user.Email = ""
	user.Version++
	c, err := s.change(ctx)
	if err != nil {
		return err
	}
	c.by = Program
	c.Replace(user, before.Version)
	if before.Email != "" {
		c.recordEvent(Event{Partition: user.Partition(), What: EventUserEmailChanged, Before: before.describeEmail(), After: user.describeEmail(), Why: why})
	}
	for i := range tokens {
		c.DeleteVersion(&tokens[i], tokens[i].Version)
		c.recordEvent(Event{Partition: user.Partition(), What: EventAccessTokenRevoked, Subject: tokens[i].Name, Why: why})
	}
	if err := c.Commit(ctx); err != nil {
		return err
	}
	return s.endSessionsOf(ctx, user.Name)
}

func errNoRole() error {
	return fail(Forbidden, "You are not in a group with access to Stockroom. Ask the person who manages your organization's groups to add you to one.")
}

func (s *Store) identity(ctx context.Context, issuer, subject string) (*ProviderIdentity, error) {
	return readConsistently[*ProviderIdentity](ctx, s, getProviderIdentity, key.Map{"hash": identityHash(issuer, subject)})
}

// IsProviderIdentity reports whether the identity belongs to the user.
func (s *Store) IsProviderIdentity(ctx context.Context, user, issuer, subject string) (bool, error) {
	identity, err := s.identity(ctx, issuer, subject)
	if KindOf(err) == NotFound {
		return false, nil
	}
	return err == nil && identity.User == userName(user), err
}

// IsActiveAdmin reports whether the user exists, is an admin and is not locked.
func (s *Store) IsActiveAdmin(ctx context.Context, name string) (bool, error) {
	user, err := s.userForChange(ctx, userName(name))
	if KindOf(err) == NotFound {
		return false, nil
	}
	return err == nil && user.Role == Admin && !user.Disabled, err
}

// changeProviderRole sets the role that the groups give. A manager keeps the warehouses
// and stores that an admin chose. Other roles have none.
func (s *Store) changeProviderRole(ctx context.Context, user *User, role Role) error {
	before := *user
	user.Role = role
	if role != Manager {
		user.Warehouses, user.Stores = nil, nil
	}
	c, err := s.change(ctx)
	if err != nil {
		return err
	}
	c.by = Program
	if err := s.saveUser(ctx, c, before, user, Event{What: EventUserRoleFromProvider}); KindOf(err) != Invalid {
		return err
	}
	return fail(Forbidden, "Your groups no longer include an admin group, but you are the last admin of Stockroom. Ask the person who manages your organization's groups to add another user to an admin group. You can sign in after that user has.")
}

// addProviderUser creates the user of an identity. The user gets a random password that
// nobody knows.
func (s *Store) addProviderUser(ctx context.Context, p ProviderUser) (*User, error) {
	hash := identityHash(p.Issuer, p.Subject)
	name, err := s.freeName(ctx, p, hash)
	if err != nil {
		return nil, err
	}
	user := &User{Name: name, Role: p.Role, Identity: hash, Version: 1}
	if err := checkUser(*user); err != nil {
		return nil, err
	}
	s.setPassword(user, rand.Text(), false)
	c, err := s.change(ctx)
	if err != nil {
		return nil, err
	}
	c.Create(user)
	c.Create(&ProviderIdentity{Hash: hash, Issuer: p.Issuer, Subject: p.Subject, User: name, Created: s.now().UTC(), Version: 1})
	c.recordEvent(Event{Partition: user.Partition(), By: Program, What: EventUserFromProvider, After: user.describeRole()})
	return user, c.Commit(ctx)
}

// freeName returns the first suggested name that is free, if necessary with a number up to
// maxNameSuffix. If all of these are taken, it returns a name with a part of the hash.
func (s *Store) freeName(ctx context.Context, p ProviderUser, hash string) (string, error) {
	for _, wish := range p.Names {
		base := providerName(wish)
		if base == "" {
			continue
		}
		for number := 1; number <= maxNameSuffix; number++ {
			name := base
			if number > 1 {
				name = fmt.Sprintf("%s-%d", base, number)
			}
			if name == userName(p.Taken) {
				continue
			}
			_, err := s.userForChange(ctx, name)
			if KindOf(err) == NotFound {
				return name, nil
			}
			if err != nil {
				return "", err
			}
		}
	}
	return "user-" + hash[:12], nil
}

// providerName returns a name from the provider as a user name, or "" if it is not a valid
// user name.
func providerName(wish string) string {
	name := userName(wish)
	if name == "" || len(name) > maxProviderName || name == Program || checkNewName(name) != nil || key.CheckID(name) != nil {
		return ""
	}
	return name
}
