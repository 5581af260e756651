package views

import "stockroom/views/ui"

// ForgotPassword is the page on which a user requests a link for a new password. Its
// form posts username to /login/forgot.
type ForgotPassword struct {
	Page
	Username ui.Input
}

// PasswordLink is the page that the link in the email opens. Its form posts the fields
// "password" and "again" to Path.
type PasswordLink struct {
	Page
	PasswordForm
	Path        string
	Username    string
	Problem     string // why the link does not work; "" if it works
	CanAskAgain bool   // show the link to the page that requests another link
	Token       string
}

// PasswordLinkPath returns the path of a link for a new password.
func PasswordLinkPath(id, code string) string {
	return "/login/reset/" + ui.Segment(id) + "/" + ui.Segment(code)
}

func (p PasswordForm) newPassword() []ui.Field {
	fields := p.fields()[1:]
	fields[0].Focus = true
	return fields
}
