package handlers

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

func showAccount(r *request) error {
	page, err := r.accountPage(views.PasswordForm{}, nil, nil)
	if err != nil {
		return err
	}
	return r.show(page)
}

// accountPage returns the user's own page. If the emails form was rejected, the page
// shows the entered values.
func (r *request) accountPage(form views.PasswordForm, emails *web.Form, rejected *store.Error) (templ.Component, error) {
	sessions, err := r.site.store.SessionsOf(r.ctx(), r.user.Name)
	if err != nil {
		return nil, err
	}
	user, err := r.shop.OwnUser(r.ctx())
	if err != nil {
		return nil, err
	}
	if err := r.relate(store.RelatedIDs{Warehouses: user.Warehouses, Stores: user.Stores}); err != nil {
		return nil, err
	}
	p := views.Account{
		Page: r.page("Account"), PasswordForm: form, Sessions: sessions, Current: web.Session(r.Context).Hash, Provider: r.sessionProvider(),
		Emails: views.EmailsForm{Email: ui.Input{Value: user.Email}, Notices: !user.NoNotices, Manager: user.Role == store.Manager, Version: user.Version, Token: r.newFormToken()},
	}
	if emails != nil {
		p.Emails.Email, p.Emails.Notices = formInput(*emails, rejected, "email"), emails.Get("notices") != ""
	}
	if rejected != nil && rejected.Field == "" {
		p.Emails.Problem = rejected.Message
	}
	return views.AccountPage(p), nil
}

// changeOwnEmail saves the user's email address and whether the user gets daily notices. If
// they have changed, it ends all sessions of the user and starts a new one in this browser.
func changeOwnEmail(r *request) error {
	form, err := r.readForm("email", "notices")
	if err != nil {
		return err
	}
	session, message := web.Session(r.Context), "Email settings saved."
	var user *store.User
	if form.Version() > session.UserVersion { // the user was changed after this session began
		err = &store.Error{Kind: store.Conflict, Message: "Your account has just been changed. Sign in again."}
	} else {
		user, err = r.shop.ChangeOwnEmail(r.ctx(), store.OwnEmail{Email: form.Get("email"), Notices: form.Get("notices") != "", Version: form.Version(), Token: form.Token()})
	}
	if err == nil && user.Version != session.UserVersion {
		message += " You are signed out everywhere else."
		err = r.site.tools.ContinueSession(r.Context, user, session.Factor)
	}
	return r.finishChange(err, message, "/account", func(rejected *store.Error) (templ.Component, error) {
		return r.accountPage(views.PasswordForm{}, &form, rejected)
	})
}

// showPasswordForm shows users the form that replaces their one-time password. It
// redirects users without a one-time password to the account page, which also has a
// password form.
func showPasswordForm(r *request) error {
	if !r.user.MustChange {
		return web.Redirect(r.Context, "/account")
	}
	return r.show(r.newPasswordPage(views.PasswordForm{}))
}

func (r *request) newPasswordPage(form views.PasswordForm) templ.Component {
	return views.NewPasswordPage(views.NewPassword{Page: r.page("Choose a password"), PasswordForm: form})
}

// changePassword changes the user's password. It ends all sessions of the user and starts
// a new one in this browser. The password is not a new proof of identity, because users
// with a second factor or an identity provider need more than a password; see confirm. A
// wrong current password counts as a failed sign-in attempt.
func changePassword(r *request) error {
	form, err := web.ReadForm(r.Context, "old", "password", "again")
	if err != nil {
		return err
	}
	name, password := web.SignedInUser(r.Context).Name, form.Get("password")
	if password != form.Get("again") {
		return r.renderPasswordError(http.StatusUnprocessableEntity, views.PasswordForm{Again: ui.Input{Error: "The new passwords do not match."}})
	}
	attempt := r.site.tools.SignInAttempt(r.Context, name)
	wait, err := r.site.store.AttemptSignIn(r.ctx(), attempt)
	if err != nil {
		return err
	}
	if wait.Now > 0 {
		r.retryAfter(wait.Now)
		return r.renderPasswordError(http.StatusTooManyRequests, views.PasswordForm{Old: ui.Input{Error: retryMessage(wait.Now)}})
	}
	err = r.site.store.ChangePassword(r.ctx(), name, form.Get("old"), password)
	var rejected *store.Error
	if errors.As(err, &rejected) && rejected.Field == "old" {
		r.recordFailedSignIn(attempt, wait.Next)
		return r.renderPasswordError(http.StatusUnprocessableEntity, views.PasswordForm{Old: ui.Input{Error: rejected.Message}})
	}
	if err != nil {
		r.withdrawSignIn(attempt)
	}
	switch {
	case errors.As(err, &rejected) && rejected.Field == "password":
		return r.renderPasswordError(http.StatusUnprocessableEntity, views.PasswordForm{Password: ui.Input{Error: rejected.Message}})
	case err != nil:
		return err
	}
	if err := r.site.store.SignInSucceeded(r.ctx(), attempt); err != nil {
		return err
	}
	user, err := r.site.store.Authenticate(r.ctx(), name, password)
	if err != nil {
		return err
	}
	if err := r.site.tools.ContinueSession(r.Context, user, web.Session(r.Context).Factor); err != nil {
		return err
	}
	return r.redirectWithFlash("Password changed. You are signed out everywhere else.", "/account")
}

// renderPasswordError shows the submitted form again with its error, on the page from
// which it was submitted.
func (r *request) renderPasswordError(status int, form views.PasswordForm) error {
	page := r.newPasswordPage(form)
	if !web.SignedInUser(r.Context).MustChange {
		var err error
		if page, err = r.accountPage(form, nil, nil); err != nil {
			return err
		}
	}
	return r.site.tools.RenderStatus(r.Context, status, page)
}

// endSession ends one of the user's own sessions. If it is the session of this request,
// the user is signed out.
func endSession(r *request) error {
	form, err := web.ReadForm(r.Context, "session")
	if err != nil {
		return err
	}
	hash := form.Get("session")
	if hash == web.Session(r.Context).Hash {
		return signOut(r)
	}
	if err := r.site.store.EndOwnSession(r.ctx(), web.SignedInUser(r.Context).Name, hash); err != nil {
		return err
	}
	return r.redirectWithFlash("Session ended.", "/account")
}

// chooseTheme stores the chosen theme and redirects to the page with the form.
func chooseTheme(r *request) error {
	form, err := web.ReadForm(r.Context, "theme")
	if err != nil {
		return err
	}
	r.site.tools.SetTheme(r.Context, form.Get("theme"))
	return web.Redirect(r.Context, cmp.Or(referrerPath(r.Request()), "/account"))
}

// referrerPath returns the path and query of the page that sent the request. It returns ""
// if the Referer header is missing or names another site.
func referrerPath(r *http.Request) string {
	from, err := url.Parse(r.Referer())
	if err != nil || from.Host != r.Host {
		return ""
	}
	return web.LocalPath(from.RequestURI())
}
