package views

// SignIn is the sign-in page. Its form posts username and password to /login, or to
// /login?next=… if Next is set.
type SignIn struct {
	Page
	Next     string // path of the page to open after sign-in; "" for Today
	Username string // user name as entered
	Error    string // message; it does not reveal whether the name or the password is wrong
	Reason   string // why the user must sign in again; otherwise ""
	Form     string // a signed form to submit after sign-in (see web.KeptForm); otherwise ""
	Passkey  PasskeyForm

	Provider        string // name of the identity provider; "" without single sign-on
	ProviderOnly    bool   // only the emergency user can sign in without the provider
	Forgot          bool   // users can get a link for a new password by email
	ProviderSignOut bool   // the user has signed out of this site, and can also sign out at the provider
}

// NewPassword is the page on which a user replaces a one-time password. Its
// form posts old, password and again to /account/password.
type NewPassword struct {
	Page
	PasswordForm
}
