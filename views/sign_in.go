package views

import (
	"maps"
	"net/url"
	"slices"
)

// SignIn is the sign-in page. Its form posts username and password to /login
// or /login?next=….
type SignIn struct {
	Page
	Next     string // local address of the page to open; "" is Today
	Username string // as entered
	Error    string // the same for every cause
	Reason   string // why to sign in; "" if it is obvious
	Form     string // a form to send after sign-in, as web.KeptForm signed it
}

// KeptForm is the page that sends a form after sign-in. Values are the fields.
type KeptForm struct {
	Page
	Path     string
	Values   url.Values
	Username string
	SendNow  bool // a script sends the form at once
}

// fields returns the names and values, sorted by name.
func (p *KeptForm) fields() [][2]string {
	var fields [][2]string
	for _, name := range slices.Sorted(maps.Keys(p.Values)) {
		for _, value := range p.Values[name] {
			fields = append(fields, [2]string{name, value})
		}
	}
	return fields
}

// entered returns the fields without the ones that only the program uses, and without
// empty ones.
func (p *KeptForm) entered() [][2]string {
	return slices.DeleteFunc(p.fields(), func(f [2]string) bool {
		return f[0] == "once" || f[0] == "version" || f[1] == ""
	})
}

// NewPassword is the page on which a user replaces a one-time password. Its
// form posts old, password and again to /account/password.
type NewPassword struct {
	Page
	PasswordForm
}
