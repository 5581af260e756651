package views

import (
	"maps"
	"net/url"
	"slices"
)

// SignIn is the sign-in page. Its form posts username and password to /login. If Next is
// set, the path is /login?next=….
type SignIn struct {
	Page
	Next     string // path of the page to open after sign-in; "" for Today
	Username string // as entered
	Error    string // does not tell whether the name or the password is wrong
	Reason   string // why the user must sign in again, or ""
	Form     string // a signed form to submit after sign-in (see web.KeptForm), or ""
}

// KeptForm is the page that submits a form after sign-in. Values are the fields of the
// form.
type KeptForm struct {
	Page
	Path     string
	Values   url.Values
	Username string
	SendNow  bool // a script submits the form at once
}

// fields returns the names and values of the fields, sorted by name.
func (p *KeptForm) fields() [][2]string {
	var fields [][2]string
	for _, name := range slices.Sorted(maps.Keys(p.Values)) {
		for _, value := range p.Values[name] {
			fields = append(fields, [2]string{name, value})
		}
	}
	return fields
}

// entered returns the fields that the user filled in. It leaves out empty fields and
// fields that only the program uses.
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
