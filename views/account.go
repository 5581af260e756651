package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// Login asks who somebody is. It posts username and password to /login, or to
// /login?next=… where a page was asked for.
type Login struct {
	Page
	Next     string // the local address to go on to; "" is Today
	Username string // as typed
	Error    string // why the log-in was refused, the same for every cause
}

// NewPassword asks for a password in place of one that the program made. It
// posts old, password and again to /account/password.
type NewPassword struct {
	Page
	PasswordForm
}

// PasswordForm is the change of one's own password. What was typed never
// comes back; only the errors do.
type PasswordForm struct {
	Old      ui.Input // the present password
	Password ui.Input // the new one
	Again    ui.Input // the new one once more
}

// Account is what a user may change of their own: the password, the theme and
// where they are logged in. Ending a session posts session (its hash) to
// /account/sessions/end.
type Account struct {
	Page
	PasswordForm
	Sessions []store.Session
	Current  string // the hash of the session that asks
}
