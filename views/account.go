package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// PasswordForm changes the user's own password. After an error, it shows the
// messages but never the input.
type PasswordForm struct {
	Old      ui.Input
	Password ui.Input
	Again    ui.Input
}

// Account is the user's own page: password, theme and sessions. Ending a
// session posts session (its hash) to /account/sessions/end.
type Account struct {
	Page
	PasswordForm
	Sessions []store.Session
	Current  string // hash of the session that requested the page
}
