package store

import (
	"time"

	"stockroom/store/table"
)

// Session is one log-in. The cookie holds its ID; the table holds only the
// ID's hash, so that whoever reads the table cannot log in with what is there.
type Session struct {
	Hash        string
	User        User // name, role and scope as they were at log-in: a change of them ends the session
	Created     time.Time
	Seen        time.Time
	Expires     time.Time // the absolute end; TTL is only the broom
	UserVersion int       // of the account at log-in
	Agent       string    // what the browser said it is, for the list of own sessions
	Version     int
}

func (*Session) EntityType() string { return "session" }

func (s *Session) KeyValue(name string) string {
	switch name {
	case "hash":
		return s.Hash
	case "user":
		return s.User.Name
	}
	return ""
}

func (s *Session) attributes(a *table.Attributes) {
	a.FromKey(table.AttrPK, "session#", &s.Hash)
	ttl := s.Expires
	a.Text("User", &s.User.Name)
	a.Text("Role", (*string)(&s.User.Role))
	a.Texts("Warehouses", &s.User.Warehouses)
	a.Texts("Stores", &s.User.Stores)
	a.Flag("MustChange", &s.User.MustChange)
	a.Time("Created", &s.Created)
	a.Time("Seen", &s.Seen)
	a.Time("Expires", &s.Expires)
	a.Number("UserVersion", &s.UserVersion)
	a.Text("Agent", &s.Agent)
	a.Seconds(table.AttrTTL, &ttl)
	a.Version(&s.Version)
}
