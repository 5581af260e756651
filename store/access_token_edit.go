package store

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"stockroom/store/key"
)

// Limits of access tokens. Concurrent requests can exceed MaxAccessTokens, because
// CreateAccessToken counts the tokens before it creates one.
const (
	MaxAccessTokens      = 20  // tokens of one user, including expired tokens that are not yet deleted
	MaxTokenDays         = 365 // maximum number of days until a token expires
	DefaultTokenDays     = 90
	maxAccessTokenName   = 60 // characters
	accessTokenDateStyle = "2 Jan 2006"
)

// NewAccessToken is a request for an access token.
type NewAccessToken struct {
	Name       string
	Role       Role
	Warehouses []string
	Stores     []string
	Days       int // until the token expires
}

// AccessTokens returns the user's own access tokens, newest first.
func (a Access) AccessTokens(ctx context.Context) ([]AccessToken, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	return a.store.accessTokensOf(ctx, a.user.Name)
}

// AccessTokensOf returns the access tokens of the user with this name, newest first.
func (a Access) AccessTokensOf(ctx context.Context, user string) ([]AccessToken, error) {
	if err := a.require(Administer); err != nil {
		return nil, err
	}
	return a.store.accessTokensOf(ctx, userName(user))
}

func (s *Store) accessTokensOf(ctx context.Context, user string) ([]AccessToken, error) {
	items, err := s.table.Partition(ctx, getAccessTokensByUser, key.Map{"user": user}, false)
	all, err := decodeAll(items, err, decodeAs[AccessToken])
	slices.SortFunc(all, func(x, y AccessToken) int { return strings.Compare(y.ID, x.ID) })
	return all, err
}

// storedAccessTokensOf is like accessTokensOf, but reads the tokens from the table, because
// the index of tokens is updated with a delay. It can still miss a new token.
func (s *Store) storedAccessTokensOf(ctx context.Context, user string) ([]AccessToken, error) {
	listed, err := s.accessTokensOf(ctx, user)
	if err != nil {
		return nil, err
	}
	values := make([]key.Map, len(listed))
	for i := range listed {
		values[i] = key.Map{"tokenID": listed[i].ID}
	}
	items, err := s.table.GetExisting(ctx, getAccessToken, values, true)
	return decodeAll(items, err, decodeAs[AccessToken])
}

// CreateAccessToken creates an access token of the user and returns its text, which cannot
// be shown again. The ID of the access token comes from the form token, so a form that is
// submitted twice creates only one access token. The second submission returns Conflict.
// CreateAccessToken also returns Conflict if the user is changed at the same time. It
// returns Invalid if a value is invalid, the name is taken, the user has too many tokens, or
// the role or scope is wider than the user's.
func (a Access) CreateAccessToken(ctx context.Context, n NewAccessToken, token string) (text string, err error) {
	if err := a.requireChange(Browse); err != nil {
		return "", err
	}
	owner, err := a.store.userForChange(ctx, a.user.Name)
	if err != nil {
		return "", err
	}
	secret := newTokenSecret()
	created, err := a.newAccessToken(n, owner.Name, secret, token)
	if err != nil {
		return "", err
	}
	if err := a.checkAccessToken(ctx, created, owner, n.Days); err != nil {
		return "", err
	}
	c, err := a.change(ctx, "")
	if err != nil {
		return "", err
	}
	c.Check(owner, owner.Version)
	c.Create(created)
	c.recordEvent(Event{Partition: owner.Partition(), What: EventAccessTokenCreated, Subject: created.Name, After: created.describe()})
	if err := c.Commit(ctx); err != nil {
		if KindOf(err) == Conflict {
			err = fail(Conflict, "This access token was already created, or your account has changed. If you have not copied the token, revoke it and create another one.")
		}
		return "", err
	}
	return tokenText(created.ID, secret), nil
}

func (a Access) newAccessToken(n NewAccessToken, owner, secret, token string) (*AccessToken, error) {
	id, err := a.store.newID(token)
	if err != nil {
		return nil, err
	}
	now := a.store.now().UTC().Truncate(time.Second)
	t := &AccessToken{
		ID: id, Owner: owner, Name: strings.TrimSpace(n.Name), Hash: hashID(secret), Role: n.Role,
		Created: now, Expires: now.AddDate(0, 0, n.Days), Version: 1,
	}
	if n.Role == Manager {
		t.Warehouses, t.Stores = n.Warehouses, n.Stores
	}
	return t, nil
}

func (a Access) checkAccessToken(ctx context.Context, t *AccessToken, owner *User, days int) error {
	var wrong InputErrors
	if n := utf8.RuneCountInString(t.Name); n == 0 || n > maxAccessTokenName {
		wrong.Reject("name", "Enter a name of 1 to %d characters.", maxAccessTokenName)
	}
	if days < 1 || days > MaxTokenDays {
		wrong.Reject("days", "Choose 1 to %d days.", MaxTokenDays)
	}
	if !slices.Contains(owner.TokenRoles(), t.Role) {
		wrong.Reject("role", "Choose a role that can read no more than your own.")
	}
	if err := wrong.Add(a.checkTokenScope(ctx, t, owner)); err != nil {
		return err
	}
	others, err := a.store.accessTokensOf(ctx, owner.Name)
	if err != nil {
		return err
	}
	others = slices.DeleteFunc(others, func(o AccessToken) bool { return o.ID == t.ID }) // created by the same form
	if slices.ContainsFunc(others, func(o AccessToken) bool { return strings.EqualFold(o.Name, t.Name) }) {
		wrong.Reject("name", "You already have an access token with this name.")
	}
	if len(others) >= MaxAccessTokens {
		wrong.Reject("", "You can have at most %d access tokens. Revoke one first.", MaxAccessTokens)
	}
	return wrong.Err()
}

// checkTokenScope returns Invalid if a token with the role Manager has no warehouse or
// store, has too many, or has one that does not exist. It also returns Invalid if the owner
// is a manager who does not manage all of them.
func (a Access) checkTokenScope(ctx context.Context, t *AccessToken, owner *User) error {
	if t.Role != Manager {
		return nil
	}
	user := t.asUser()
	switch places := len(t.Warehouses) + len(t.Stores); {
	case places == 0:
		return InvalidField("scope", "Choose at least one warehouse or store.")
	case places > maxScope:
		return InvalidField("scope", "Choose at most %d warehouses and stores in total.", maxScope)
	case owner.Role == Manager:
		owned := owner.ScopeParts()
		if slices.ContainsFunc(user.ScopeParts(), func(part string) bool { return !slices.Contains(owned, part) }) {
			return InvalidField("scope", "Choose only your own warehouses and stores.")
		}
		return nil
	}
	if err := checkUser(*user); err != nil {
		return err
	}
	return a.store.checkPlaces(ctx, user)
}

// describe describes the role, scope and expiry day of the token, for events.
func (t *AccessToken) describe() string {
	return t.asUser().describeRole() + ", until " + t.Expires.Format(accessTokenDateStyle)
}

// RevokeAccessToken deletes an access token of the user. The token stops working at once.
// RevokeAccessToken returns NotFound if the user has no token with this ID.
func (a Access) RevokeAccessToken(ctx context.Context, id, token string) error {
	if err := a.require(Browse); err != nil {
		return err
	}
	return a.revokeAccessToken(ctx, a.user, id, token)
}

// RevokeAccessTokenOf deletes an access token of the user with this name. It returns
// NotFound if that user has no token with this ID.
func (a Access) RevokeAccessTokenOf(ctx context.Context, name, id, token string) error {
	if err := a.require(Administer); err != nil {
		return err
	}
	return a.revokeAccessToken(ctx, &User{Name: userName(name)}, id, token)
}

func (a Access) revokeAccessToken(ctx context.Context, owner *User, id, token string) error {
	return retryOnConflict(ctx, func() error {
		t, err := readConsistently[*AccessToken](ctx, a.store, getAccessToken, key.Map{"tokenID": id})
		if KindOf(err) == NotFound || err == nil && t.Owner != owner.Name {
			return a.store.okIfApplied(ctx, owner.Partition(), token, fail(NotFound, "This access token is already revoked, or has expired."))
		}
		if err != nil {
			return err
		}
		c, err := a.change(ctx, token)
		if err != nil {
			return err
		}
		c.DeleteVersion(t, t.Version)
		c.recordEvent(Event{Partition: owner.Partition(), What: EventAccessTokenRevoked, Subject: t.Name})
		return c.Commit(ctx)
	})
}
