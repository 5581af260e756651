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

// EntityType implements Entity.
func (*Session) EntityType() string { return "session" }

// KeyValue implements Entity.
func (s *Session) KeyValue(name string) string {
	switch name {
	case "hash":
		return s.Hash
	case "user":
		return s.User.Name
	}
	return ""
}

func (s *Session) write(a *table.Attributes) {
	a.Text("User", s.User.Name)
	a.Text("Role", string(s.User.Role))
	a.Texts("Warehouses", s.User.Warehouses)
	a.Texts("Stores", s.User.Stores)
	a.Flag("MustChange", s.User.MustChange)
	a.Time("Created", s.Created)
	a.Time("Seen", s.Seen)
	a.Time("Expires", s.Expires)
	a.Number("UserVersion", s.UserVersion)
	a.Text("Agent", s.Agent)
	a.Seconds(table.AttrTTL, s.Expires)
	a.Number(table.AttrVersion, s.Version)
}

func decodeSession(item Item) (Entity, error) {
	f := table.NewFields(item)
	s := &Session{
		Hash: f.After(table.AttrPK, "session#"),
		User: User{
			Name:       f.Text("User"),
			Role:       Role(f.Text("Role")),
			Warehouses: f.Texts("Warehouses"),
			Stores:     f.Texts("Stores"),
			MustChange: f.Flag("MustChange"),
		},
		Created:     f.Time("Created"),
		Seen:        f.Time("Seen"),
		Expires:     f.Time("Expires"),
		UserVersion: f.Number("UserVersion"),
		Agent:       f.Text("Agent"),
		Version:     f.Number(table.AttrVersion),
	}
	return s, f.Err()
}
