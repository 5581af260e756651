package store

import (
	"crypto/subtle"
	"time"

	"stockroom/store/table"
)

// PasswordLink is a link with which a user who has forgotten the password can choose a new
// one. It works only once, and stops working when the user record changes. The link has a
// secret part, which is created when the email is sent. The table contains only a hash of
// it.
type PasswordLink struct {
	ID          string // a ULID
	User        string
	UserVersion int    // Version of the user when the link was requested
	Code        string // hash of the secret part of the link; "" before the email is sent
	Expires     time.Time
	Version     int
}

// PasswordLinkLife is how long a password link works.
const PasswordLinkLife = 30 * time.Minute

func (*PasswordLink) EntityType() string { return "passwordLink" }

func (l *PasswordLink) KeyValue(name string) string {
	if name == "id" {
		return l.ID
	}
	return ""
}

func (l *PasswordLink) attributes(a *table.Attributes) {
	a.FromKey(table.AttrPK, "passwordLink#", &l.ID)
	a.Text("User", &l.User)
	a.Count("UserVersion", &l.UserVersion)
	a.Text("Code", &l.Code)
	a.Time("Expires", &l.Expires)
	ttl := l.Expires
	a.Seconds(table.AttrTTL, &ttl)
	a.Version(&l.Version)
}

// hasCode reports whether code is the secret part of the link. It compares in constant
// time.
func (l *PasswordLink) hasCode(code string) bool {
	return l.Code != "" && subtle.ConstantTimeCompare([]byte(l.Code), []byte(hashID(code))) == 1
}
