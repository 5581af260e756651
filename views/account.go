package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

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
