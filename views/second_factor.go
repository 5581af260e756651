package views

import (
	"net/url"
	"strings"

	"stockroom/static"
	"stockroom/store"
	"stockroom/views/ui"
)

var passkeyPath = static.Path("passkey.js")

// passkeyScript writes the script element. It is not in a template, because templ does
// not check the addresses of scripts.
var passkeyScript = ui.Written(func(m *ui.Markup) {
	m.HTML(`<script src="`)
	m.Text(passkeyPath)
	m.HTML(`" defer></script>`)
})

// PasskeyForm is a form that a script submits with the browser's response to a request
// for a passkey. Browsers that do not support passkeys do not show its button. Options
// is "" if passkeys do not work at the site's address.
type PasskeyForm struct {
	Action  string
	Label   string
	Options string // JSON; see web.PasskeyRequest
	State   string
	Form    string // signed form that is submitted afterwards; "" for none
	Step    string // see SignInCode.Step; "" if the passkey is the only step
}

// SignInCode is the second step of a sign-in. Its form posts step, code and form to
// /login/code.
type SignInCode struct {
	Page
	Step     string // signed; proves that the first step succeeded
	Next     string // path of the page to open after sign-in; "" for Today
	Username string
	Form     string // signed form that is submitted after sign-in; "" for none
	Error    string
	HasApp   bool
	Passkey  PasskeyForm // Options is "" if the user has no passkey
}

// PasskeyAction returns the path to which the passkey form posts.
func (p SignInCode) PasskeyAction() string { return NextPath("/login/passkey", p.Next) }

// NextPath adds the parameter next to a path: the path of the page to open afterwards.
// It adds nothing if next is "".
func NextPath(path, next string) string {
	if next == "" {
		return path
	}
	return path + "?next=" + url.QueryEscape(next)
}

// Confirm asks users to prove their identity before a sensitive change. Its form posts
// secret and form to /account/confirm.
type Confirm struct {
	Page
	Username  string
	Next      string
	Form      string
	Error     string
	HasApp    bool
	HasFactor bool // the user must enter a code or use a passkey, not the password
	Passkey   PasskeyForm
	Provider  string // name of the identity provider that confirms the identity; "" without a provider
	Confirmed bool   // the provider has confirmed the identity
}

// SecondFactor is the page on which users set up an authenticator app, passkeys and
// recovery codes.
type SecondFactor struct {
	Page
	Factor       store.SecondFactor
	Required     bool   // the settings require a second factor for the user's role
	Problem      string // error that belongs to no field
	Secret       string // secret of the app to set up; "" if an app is already set up
	SignedSecret string
	Code         ui.QR // QR code with Secret
	CodeInput    ui.Input
	Name         ui.Input // name of a new passkey
	Add          PasskeyForm
}

// groupedSecret returns the secret in groups of four characters, so that it is easier to
// type.
func (p SecondFactor) groupedSecret() string {
	var groups []string
	for rest := p.Secret; rest != ""; {
		n := min(4, len(rest))
		groups, rest = append(groups, rest[:n]), rest[n:]
	}
	return strings.Join(groups, " ")
}

func (p SecondFactor) isSet() bool { return p.Secret == "" || len(p.Factor.Passkeys) > 0 }

// RecoveryCodes is the page with new recovery codes. The codes are shown only on this page.
type RecoveryCodes struct {
	Page
	Codes   []string
	Message string // message about the change that the user made
}
