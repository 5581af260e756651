package handlers

import (
	"net/http"
	"net/url"
	"time"

	"github.com/labstack/echo/v4"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

const confirmPath = "/account/confirm"

// afterConfirm says what happens to an interrupted request after the user has proved their
// identity.
type afterConfirm int

const (
	sendForm  afterConfirm = iota + 1 // submit the form again
	startOver                         // show the page of the second factor; forms with secrets are not kept
)

// sensitive contains the routes that require a proof of identity from the last ten minutes;
// see store.ConfirmedLife. Refunds of an invoice above the limit also require one; see
// refundPayment.
var sensitive = map[string]afterConfirm{
	"POST /admin/users":                   sendForm,
	"POST /admin/users/:id/role":          sendForm,
	"POST /admin/users/:id/disable":       sendForm,
	"POST /admin/users/:id/enable":        sendForm,
	"POST /admin/users/:id/sessions":      sendForm,
	"POST /admin/users/:id/password":      sendForm,
	"POST /admin/users/:id/second-factor": sendForm,
	"POST /admin/users/:id/tokens":        sendForm,
	"POST /admin/view-as":                 sendForm,
	"POST /admin/settings":                sendForm,
	"POST /admin/settings/logo":           sendForm,
	"POST /admin/settings/logo/remove":    sendForm,
	"POST /data/import/:id/run":           sendForm,
	"POST /data/export":                   sendForm,
	"POST /people/:id/data/export":        sendForm,
	"POST /people/:id/data/erase":         sendForm,
	"POST /account/tokens":                sendForm,
	"POST /account/email":                 sendForm,
	"POST /account/sessions/end":          sendForm,
	"POST /views/:whose/:id/email":        sendForm,
	"GET /account/second-factor":          startOver,
	"POST /account/second-factor":         startOver,
	"POST /account/second-factor/remove":  startOver,
	"POST /account/passkeys":              startOver,
	"POST /account/passkeys/remove":       startOver,
	"POST /account/recovery-codes":        startOver,
}

// sensitiveFiles contains the lists whose CSV and JSON files also require a recent proof of
// identity (see sensitive), because they contain email addresses. These lists cannot be
// emailed.
var sensitiveFiles = map[string]bool{
	"/accounts/:id/emails":        true,
	"/accounts/:id/receipts":      true,
	"/accounts/:id/subscriptions": true,
	"/admin/users":                true,
	"/customers":                  true,
	"/due":                        true,
	"/emails":                     true,
	"/employees":                  true,
	"/employees/:id/customers":    true,
	"/jobs/:name/:date/dry-run":   true,
	"/subscriptions":              true,
	"/warehouses/:id/employees":   true,
}

// mustConfirm reports whether the user must prove their identity before this request. A
// request with an access token needs no proof, because the user proved their identity to
// create the token.
func (r *request) mustConfirm() bool {
	if web.AccessToken(r.Context) != nil {
		return false
	}
	if sensitive[r.route.method+" "+r.route.path] == 0 && !(r.wantsFile() && sensitiveFiles[r.route.path]) {
		return false
	}
	return !r.site.store.IsConfirmed(web.Session(r.Context))
}

// askToConfirm shows or redirects to the page on which users prove their identity,
// instead of handling the request. It keeps the submitted form for after the proof,
// unless the form contains secrets or files, or is too long. For scripts, and during a
// view as another user, it returns a 403 error.
func (r *request) askToConfirm() error {
	switch {
	case web.IsViewing(r.Context):
		return echo.NewHTTPError(http.StatusForbidden, "Stop viewing the site as someone else, and then confirm your identity.")
	case r.Request().Header.Get("Sec-Fetch-Dest") == "empty" || r.Request().Header.Get("HX-Request") != "":
		return echo.NewHTTPError(http.StatusForbidden, "Confirm your identity first, at /account/confirm.")
	case r.route.method == http.MethodGet:
		return web.Redirect(r.Context, confirmPath+"?next="+url.QueryEscape(r.Request().URL.RequestURI()))
	case sensitive[r.route.method+" "+r.route.path] == startOver:
		return web.Redirect(r.Context, confirmPath+"?next="+url.QueryEscape(secondFactorPath))
	}
	kept, _, err := r.site.tools.KeepForm(r.Context, r.route.permission)
	if err != nil {
		return err
	}
	if kept == "" { // the form contains files or is too long
		r.next = referrerPath(r.Request())
		return r.confirmPage(http.StatusForbidden, "", "Nothing was saved. Confirm your identity, and then send the form again.")
	}
	return r.confirmPage(http.StatusForbidden, kept, "")
}

func showConfirm(r *request) error { return r.confirmPage(http.StatusOK, "", "") }

// confirmPage shows the page on which users prove their identity: with their second factor,
// with the identity provider, or with the password if they have neither. The argument kept
// is the form to submit afterwards, or "".
func (r *request) confirmPage(status int, kept, message string) error {
	user := web.SignedInUser(r.Context)
	factor, err := r.site.store.SecondFactorOf(r.ctx(), user.Name)
	if err != nil {
		return err
	}
	if provider := r.confirmingProvider(factor.IsSet()); provider != "" {
		p := views.Confirm{Page: r.page("Confirm your identity"), Username: user.Name, Next: r.nextPath(), Form: kept, Error: message, Provider: provider}
		p.Confirmed = r.site.store.IsConfirmed(web.Session(r.Context))
		return r.site.tools.RenderStatus(r.Context, status, views.ConfirmPage(p))
	}
	p := views.Confirm{Username: user.Name, Next: r.nextPath(), Form: kept, Error: message, HasApp: factor.HasApp(), HasFactor: factor.IsSet()}
	if len(factor.Passkeys) > 0 {
		if p.Passkey, err = r.passkeyForm(views.NextPath(confirmPath, p.Next), "Use a passkey", kept); err != nil {
			return err
		}
	}
	p.Page = r.page("Confirm your identity")
	return r.site.tools.RenderStatus(r.Context, status, views.ConfirmPage(p))
}

// confirm checks the proof of identity. A wrong password or code counts as a failed sign-in
// attempt. A wrong passkey is only recorded in the history. It does not limit further
// attempts.
func confirm(r *request) error {
	form, err := web.ReadForm(r.Context, "secret", "state", "credential", "form")
	if err != nil {
		return err
	}
	user, tools := web.SignedInUser(r.Context), r.site.tools
	current, err := r.site.store.UserAtStep(r.ctx(), user.Name, web.Session(r.Context).UserVersion)
	if err != nil {
		return err
	}
	if provider := r.confirmingProvider(current.SecondFactor); provider != "" {
		return r.continueForm(provider, form.Get("form"))
	}
	attempt := tools.SignInAttempt(r.Context, user.Name)
	var factor store.Factor
	var wait time.Duration
	switch {
	case form.Get("credential") != "":
		factor = store.FactorPasskey
		var found *store.User
		if found, err = r.usePasskey(form); err == nil && found.Name != user.Name {
			err = &store.Error{Kind: store.Forbidden, Message: "This passkey belongs to another user. Use one of your own."}
		}
	case current.SecondFactor:
		attempt.Code = true
		factor, wait, err = r.useCode(attempt, form.Get("secret"))
	default:
		wait, err = r.attempt(attempt, func() error { return r.site.store.ConfirmPassword(r.ctx(), user.Name, form.Get("secret")) })
		if store.KindOf(err) == store.Forbidden {
			err = &store.Error{Kind: store.Forbidden, Message: "Wrong password."}
		}
	}
	switch {
	case wait > 0:
		r.retryAfter(wait)
		return r.confirmPage(http.StatusTooManyRequests, form.Get("form"), retryMessage(wait))
	case store.KindOf(err) == store.Forbidden:
		return r.confirmPage(http.StatusUnprocessableEntity, form.Get("form"), messageOf(err))
	case err != nil:
		return err
	}
	if err := tools.ConfirmSession(r.Context, web.Session(r.Context).Hash, factor); err != nil {
		return err
	}
	if kept := form.Get("form"); kept != "" {
		return r.offerKeptForm(kept, user, true)
	}
	return web.Redirect(r.Context, web.LocalPath(r.QueryParam("next")))
}

// sessionProvider returns the name of the identity provider that authenticated the user of
// this session, or "".
func (r *request) sessionProvider() string {
	if session := web.Session(r.Context); session == nil || !session.Provider {
		return ""
	}
	return r.site.providerName()
}

// confirmingProvider returns the name of the identity provider that must confirm the
// identity of the user, or "". Users with a second factor on this site use that factor,
// because the provider may not ask for one.
func (r *request) confirmingProvider(hasFactor bool) string {
	if hasFactor {
		return ""
	}
	return r.sessionProvider()
}

// continueForm submits a kept form after the user has signed in or confirmed with the
// identity provider in another tab. Without a kept form, it opens the page that the user
// wanted.
func (r *request) continueForm(provider, kept string) error {
	if !r.site.store.IsConfirmed(web.Session(r.Context)) {
		return r.confirmPage(http.StatusUnprocessableEntity, kept, "You have not confirmed your identity with "+provider+" yet.")
	}
	if kept == "" {
		return web.Redirect(r.Context, web.LocalPath(r.QueryParam("next")))
	}
	return r.offerKeptForm(kept, web.SignedInUser(r.Context), r.QueryParam("after") == "")
}
