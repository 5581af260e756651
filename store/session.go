package store

import (
	"strings"
	"time"

	"stockroom/store/table"
)

// Session is a user's session. The cookie contains its ID. The table contains only a
// hash of the ID, so that nobody can sign in with data from the table.
type Session struct {
	Hash        string
	FirstHash   string // hash of the session's first ID; it stays when the session gets another ID
	User        User   // user with the role and scope at sign-in; changing the user ends the session
	Created     time.Time
	Seen        time.Time
	Idle        int       // minutes without a request after which the session ends
	Expires     time.Time // checked on every read, because Time to Live may delete the item days later
	UserVersion int       // Version of User at sign-in
	Factor      Factor    // how the user proved their identity in addition to the password
	Provider    bool      // the identity provider authenticates the user, for sign-in and for sensitive changes
	Confirmed   time.Time // when the user last proved their identity; see ConfirmSession
	Agent       string    // User-Agent header, shown on the account page
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
	if a.Decoding() && !a.Has("FirstHash") { // an earlier version started this session
		s.FirstHash = s.Hash
	} else {
		a.Text("FirstHash", &s.FirstHash)
	}
	ttl := s.Expires
	a.Text("User", &s.User.Name)
	a.Text("Role", (*string)(&s.User.Role))
	a.Texts("Warehouses", &s.User.Warehouses)
	a.Texts("Stores", &s.User.Stores)
	a.Flag("MustChange", &s.User.MustChange)
	a.Time("Created", &s.Created)
	a.Time("Seen", &s.Seen)
	a.Time("Expires", &s.Expires)
	if a.Decoding() && !a.Has("Idle") { // an earlier version started this session
		s.Idle = defaultSessionMinutes
	} else {
		a.Number("Idle", &s.Idle)
	}
	a.Count("UserVersion", &s.UserVersion)
	a.Text("Factor", (*string)(&s.Factor))
	a.Flag("Provider", &s.Provider)
	a.Time("Confirmed", &s.Confirmed)
	a.Text("Agent", &s.Agent)
	a.Seconds(table.AttrTTL, &ttl)
	a.Version(&s.Version)
}

func (s *Session) describeSignIn() string {
	if !s.Provider {
		return s.Factor.describe()
	}
	return strings.TrimSpace("Single sign-on. " + s.Factor.describe())
}
