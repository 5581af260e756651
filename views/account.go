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

// EmailsForm is the form for the user's email address. Managers also turn daily notices
// on and off with it.
type EmailsForm struct {
	Email   ui.Input
	Notices bool // the user gets daily notices
	Manager bool // the form offers daily notices
	Problem string
	Version int
	Token   string
}

// Account is the user's own page: password, emails, theme and sessions. The form that
// ends a session posts the session's hash to /account/sessions/end.
type Account struct {
	Page
	PasswordForm
	Emails   EmailsForm
	Sessions []store.Session
	Current  string // hash of the current session
	Provider string // name of the identity provider that authenticated the user; otherwise ""
}

func (p Account) allFields() []ui.Field {
	emails := p.Emails.field()
	if p.Provider != "" { // users of an identity provider have no password here
		return []ui.Field{emails}
	}
	return append(p.fields(), emails)
}
