package views

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
