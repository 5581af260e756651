package views

import (
	"slices"
	"strings"

	"stockroom/store"
	"stockroom/views/ui"
)

// Users lists all users, and contains the form that adds a user. The form posts name,
// role and scope to /admin/users.
type Users struct {
	Page
	Rows       []store.User
	Places     map[string]store.Choice // names of the users' warehouses and stores; the keys are parts of a scope, such as w#12345
	Name, Role ui.Input
	Scope      Scope
	Problem    string // an error that belongs to no field
	Token      string
}

// Scope contains the form fields for the warehouses and stores of a manager.
type Scope struct {
	Places []ScopePlace
	Add    ui.Input // name of a warehouse or store to add
	Pick   *ui.Pick
	Now    string // saved warehouses and stores, shown after a conflict
}

// ScopePlace is a warehouse or store in a Scope.
type ScopePlace struct {
	store.Choice
	Chosen bool
}

// placeKind says whether a part of a scope is a warehouse or a store.
func placeKind(part string) string {
	if strings.HasPrefix(part, store.WarehouseScope) {
		return "Warehouse"
	}
	return "Store"
}

// scopeText returns the names of the warehouses and stores in a scope, each with its kind.
// The map places contains them by ID.
func scopeText(places map[string]store.Choice, parts []string) string {
	names := slices.Clone(parts)
	for i, id := range parts {
		if place, known := places[id]; known {
			names[i] = placeKind(id) + " " + place.Name
		}
	}
	return strings.Join(names, ", ")
}

// User is the page of a user. The form for the role posts role and scope.
type User struct {
	Page
	Account  store.User // the user on the page; Page.User is the signed-in user
	Role     ui.Input
	Scope    Scope
	Version  int           // version of the user in the form for the role
	RoleNow  string        // saved role, shown after a conflict
	Problem  string        // an error that belongs to no field
	Own      bool          // this is the signed-in user's own page
	Token    string        // token of the forms
	About    []store.Event // history of the user
	By       []store.Event // changes made by the user
	Sessions []store.Session
	Tokens   []store.AccessToken
	Places   map[string]store.Choice // warehouses and stores of the access tokens; see Users.Places
}

// OneTimePassword is the page with a new one-time password. The password is shown only on
// this page.
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
