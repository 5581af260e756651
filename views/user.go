package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// Users are all accounts, and the form of a new one. It posts name, role and
// scope to /admin/users.
type Users struct {
	Page
	Rows              []store.User
	Name, Role, Scope ui.Input
	Once              string
}

// User is one account and what may be done to it. The form of its role posts
// role and scope below its address, the others nothing of their own.
type User struct {
	Page
	Account     store.User
	Role, Scope ui.Input
	RoleNow     string        // where somebody else changed it meanwhile
	ScopeNow    string        // likewise
	Wrong       string        // why something could not be done that has no field
	Own         bool          // it is the account of whoever looks
	Token       string        // of the forms
	About       []store.Event // what was done to the account
	By          []store.Event // what its user did
}

// OneTimePassword shows a password that the program made, this once.
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

// usersTable lists accounts with what each may do.
func usersTable(p *Page, rows []store.User) ui.Written {
	return tableOf(p, "Users", func(t table) {
		t.HTML(`<thead><tr><th scope="col">User</th><th scope="col">Role</th><th scope="col" class="p2">In charge of</th><th scope="col">State</th></tr></thead><tbody>`)
		for i := range rows {
			u := &rows[i]
			t.HTML(`<tr><td>`)
			t.Link("/admin/users/", u.Name, u.Name)
			t.HTML(`<span class="sub m">`)
			t.Text(u.Scope())
			t.HTML(`</span></td><td>`)
			t.Text(capital(string(u.Role)))
			t.HTML(`</td><td class="p2 wrap">`)
			t.Text(u.Scope())
			t.HTML(`</td><td>`)
			t.Badge(userBadge(u))
			t.HTML(`</td></tr>`)
		}
		t.HTML(`</tbody>`)
	})
}
