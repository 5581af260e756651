package store

import "time"

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

func (s *Session) write(a *attributes) {
	a.text("User", s.User.Name)
	a.text("Role", string(s.User.Role))
	a.texts("Warehouses", s.User.Warehouses)
	a.texts("Stores", s.User.Stores)
	a.flag("MustChange", s.User.MustChange)
	a.time("Created", s.Created)
	a.time("Seen", s.Seen)
	a.time("Expires", s.Expires)
	a.number("UserVersion", s.UserVersion)
	a.text("Agent", s.Agent)
	a.seconds(attrTTL, s.Expires)
	a.number(attrVersion, s.Version)
}

func decodeSession(item Item) (Entity, error) {
	f := fields{item: item}
	s := &Session{
		Hash: f.after(attrPK, "session#"),
		User: User{
			Name:       f.text("User"),
			Role:       Role(f.text("Role")),
			Warehouses: f.texts("Warehouses"),
			Stores:     f.texts("Stores"),
			MustChange: f.flag("MustChange"),
		},
		Created:     f.time("Created"),
		Seen:        f.time("Seen"),
		Expires:     f.time("Expires"),
		UserVersion: f.number("UserVersion"),
		Agent:       f.text("Agent"),
		Version:     f.number(attrVersion),
	}
	return s, f.err
}
