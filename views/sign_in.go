package views

// SignIn is the sign-in page. Its form posts username and password to /login
// or /login?next=….
type SignIn struct {
	Page
	Next     string // local address of the page to open; "" is Today
	Username string // as entered
	Error    string // the same for every cause
}

// NewPassword is the page on which a user replaces a one-time password. Its
// form posts old, password and again to /account/password.
type NewPassword struct {
	Page
	PasswordForm
}
