package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// PasswordForm is the form with which users change their password. After an error, it
// shows the messages but not the entered passwords.
type PasswordForm struct {
	Old      ui.Input
	Password ui.Input
	Again    ui.Input
}

// Account is the user's own page: password, theme and sessions. The form that ends a
// session posts the session's hash to /account/sessions/end.
type Account struct {
	Page
	PasswordForm
	Sessions []store.Session
	Current  string // hash of the current session
	Provider string // name of the identity provider that authenticated the user; otherwise ""
}
