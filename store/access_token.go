package store

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"stockroom/store/table"
)

// AccessToken lets a program read lists and records with the permissions of a user. The
// token itself is shown only once, when it is created. The table contains only a hash of
// its secret, so that nobody can use data from the table to sign in. See
// https://cheatsheetseries.owasp.org/cheatsheets/Secrets_Management_Cheat_Sheet.html
type AccessToken struct {
	ID         string // public part of the token, and key of its item
	Owner      string // user name
	Name       string // chosen by the owner
	Hash       string // SHA-256 of the secret, in hexadecimal
	Role       Role
	Warehouses []string // set only for the role Manager
	Stores     []string
	Created    time.Time
	Used       time.Time // last use, stored at most once an hour; zero if the token was never used
	Expires    time.Time // checked on every use, because Time to Live may delete the item days later
	Version    int
}

// AccessTokenPrefix is the prefix of every access token. Scanners for secrets in source
// code can search for it.
const AccessTokenPrefix = "stockroom_"

// secretBytes is the length of the secret in an access token, in bytes. Nobody can try
// 2^256 secrets, so the table can store a fast hash (SHA-256) instead of a password hash.
const secretBytes = 32

func tokenText(id, secret string) string { return AccessTokenPrefix + id + "_" + secret }

func parseTokenText(text string) (id, secret string, ok bool) {
	rest, hasPrefix := strings.CutPrefix(text, AccessTokenPrefix)
	id, secret, hasSecret := strings.Cut(rest, "_")
	_, err := ulid.ParseStrict(id)
	return id, secret, hasPrefix && hasSecret && err == nil && len(secret) == hex.EncodedLen(secretBytes)
}

func newTokenSecret() string {
	random := make([]byte, secretBytes)
	_, _ = rand.Read(random) // never fails
	return hex.EncodeToString(random)
}

func (*AccessToken) EntityType() string { return "accessToken" }

func (t *AccessToken) KeyValue(name string) string {
	switch name {
	case "id":
		return t.ID
	case "user":
		return t.Owner
	}
	return ""
}

func (t *AccessToken) attributes(a *table.Attributes) {
	a.FromKey(table.AttrPK, "token#", &t.ID)
	a.Text("User", &t.Owner)
	a.Text("Name", &t.Name)
	a.Text("SecretHash", &t.Hash)
	a.Text("Role", (*string)(&t.Role))
	a.Texts("Warehouses", &t.Warehouses)
	a.Texts("Stores", &t.Stores)
	a.Time("Created", &t.Created)
	a.Time("Used", &t.Used)
	a.Seconds(table.AttrTTL, &t.Expires)
	a.Version(&t.Version)
}

func (t *AccessToken) hasSecret(secret string) bool {
	return subtle.ConstantTimeCompare([]byte(hashID(secret)), []byte(t.Hash)) == 1
}

// HasExpired reports whether the token has expired.
func (t *AccessToken) HasExpired(now time.Time) bool { return !now.Before(t.Expires) }

func (t *AccessToken) asUser() *User {
	return &User{Name: t.Owner, Role: t.Role, Warehouses: t.Warehouses, Stores: t.Stores}
}

// ScopeParts returns the warehouses and stores of the token; see User.ScopeParts.
func (t *AccessToken) ScopeParts() []string { return t.asUser().ScopeParts() }

// tokenRoles maps the role of a user to the roles that their access tokens may have. A
// token must not read more than its owner. Managers see only their own warehouses and
// stores, so their tokens cannot have the role Viewer, which sees all of them.
var tokenRoles = map[Role][]Role{
	Viewer:  {Viewer},
	Auditor: {Viewer, Auditor},
	Support: {Viewer, Support},
	Manager: {Manager},
	Admin:   Roles,
}

// TokenRoles returns the roles that an access token of the user may have, the narrowest
// role first.
func (u *User) TokenRoles() []Role { return tokenRoles[u.Role] }

// limitedTo returns a user who may read only what both the token and its owner may read
// now. It returns nil if no role fits both, for example after a Manager became a Viewer.
func (t *AccessToken) limitedTo(owner *User) *User {
	user := t.asUser()
	switch {
	case slices.Contains(tokenRoles[owner.Role], t.Role):
	case slices.Contains(tokenRoles[t.Role], owner.Role):
		user.Role = owner.Role
	case slices.Contains(tokenRoles[owner.Role], Viewer) && slices.Contains(tokenRoles[t.Role], Viewer):
		user.Role = Viewer
	default:
		return nil
	}
	if owner.Role == Manager {
		user.Warehouses = limitPlaces(t.Role, t.Warehouses, owner.Warehouses)
		user.Stores = limitPlaces(t.Role, t.Stores, owner.Stores)
	}
	return user
}

// limitPlaces returns the warehouses or stores of a token that its owner still manages. For
// a token with a role other than Manager, it returns all warehouses or stores of the owner.
func limitPlaces(role Role, places, owned []string) []string {
	if role != Manager {
		return owned
	}
	return slices.DeleteFunc(slices.Clone(places), func(id string) bool { return !slices.Contains(owned, id) })
}
