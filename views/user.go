package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// Users lists all users, with a form to add one. The form posts name, role and
// scope to /admin/users.
type Users struct {
	Page
	Rows              []store.User
	Name, Role, Scope ui.Input
	Token             string
}

// User is the page of a user. The form that changes the role posts role and scope.
type User struct {
	Page
	Account     store.User // the user that the page shows; Page.User is the one who is signed in
	Role, Scope ui.Input
	RoleNow     string        // current value after a conflict
	ScopeNow    string        // current value after a conflict
	Problem     string        // an error that belongs to no field
	Own         bool          // users see their own page
	Token       string        // of the forms
	About       []store.Event // changes to the user
	By          []store.Event // changes by the user
	Sessions    []store.Session
}

// OneTimePassword is the page that shows a new one-time password, once.
type OneTimePassword struct {
	Page
	Name     string
	Password string
}

func userBadge(u *store.User) ui.Badge {
	switch {
	case u.Disabled:
		return ui.Badge{Word: "Locked", Tone: ui.Wrong}
	case u.MustChange:
		return ui.Badge{Word: "One-time password", Tone: ui.Waiting}
	}
	return ui.Badge{Word: "Active", Tone: ui.Good}
}

func roleOptions() []ui.Option {
	options := make([]ui.Option, len(store.Roles))
	for i, role := range store.Roles {
		options[i] = ui.Option{Value: string(role), Text: capital(string(role))}
	}
	return options
}
