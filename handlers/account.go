package handlers

import (
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
	page, err := r.account(views.PasswordForm{})
	if err != nil {
		return err
	}
	return r.show(page)
}

func (r *request) account(form views.PasswordForm) (templ.Component, error) {
	sessions, err := r.site.store.SessionsOf(r.ctx(), r.user.Name)
	if err != nil {
		return nil, err
	}
	return views.AccountPage(views.Account{
		Page: r.page("Account"), PasswordForm: form, Sessions: sessions, Current: web.Session(r.Context).Hash,
	}), nil
}

// askPassword has a user replace a password that the program made; all others
// change theirs among the rest of their account.
func askPassword(r *request) error {
	if !r.user.MustChange {
		return web.Redirect(r.Context, "/account")
	}
	return r.show(r.newPassword(views.PasswordForm{}))
}

func (r *request) newPassword(form views.PasswordForm) templ.Component {
	return views.NewPasswordPage(views.NewPassword{Page: r.page("Choose a password"), PasswordForm: form})
}

// changePassword ends all log-ins of the user and begins a new one here.
// Whoever sits at somebody else's browser gets no more tries at the present
// password than at the log-in.
func changePassword(r *request) error {
	form, err := web.ReadForm(r.Context, "old", "password", "again")
	if err != nil {
		return err
	}
	name, password := r.user.Name, form.Get("password")
	if password != form.Get("again") {
		return r.passwordRefused(http.StatusUnprocessableEntity, views.PasswordForm{Again: ui.Input{Error: "The new password was typed differently here."}})
	}
	if wait := r.site.tools.AttemptSignIn(name, r.RealIP()); wait > 0 {
		r.retryAfter(wait)
		return r.passwordRefused(http.StatusTooManyRequests, views.PasswordForm{Old: ui.Input{Error: waitSentence(wait)}})
	}
	err = r.site.store.ChangePassword(r.ctx(), name, form.Get("old"), password)
	var refused *store.Error
	switch {
	case errors.As(err, &refused) && refused.Field == "old":
		return r.passwordRefused(http.StatusUnprocessableEntity, views.PasswordForm{Old: ui.Input{Error: refused.Message}})
	case errors.As(err, &refused) && refused.Field == "password":
		return r.passwordRefused(http.StatusUnprocessableEntity, views.PasswordForm{Password: ui.Input{Error: refused.Message}})
	case err != nil:
		return err
	}
	r.site.tools.SignInSucceeded(name, r.RealIP())
	user, err := r.site.store.Authenticate(r.ctx(), name, password)
	if err != nil {
		return err
	}
	if err := r.site.tools.SignIn(r.Context, user); err != nil {
		return err
	}
	return r.done("Your password was changed. All other log-ins have ended.", "/account")
}

// passwordRefused shows the form again where it was sent from.
func (r *request) passwordRefused(status int, form views.PasswordForm) error {
	page := r.newPassword(form)
	if !r.user.MustChange {
		var err error
		if page, err = r.account(form); err != nil {
			return err
		}
	}
	return r.site.tools.RenderStatus(r.Context, status, page)
}

// endSession ends one of the user's own log-ins; where it is this one, the
// browser is logged out.
func endSession(r *request) error {
	form, err := web.ReadForm(r.Context, "session")
	if err != nil {
		return err
	}
	hash := form.Get("session")
	if hash == web.Session(r.Context).Hash {
		return logOut(r)
	}
	if err := r.site.store.EndOwnSession(r.ctx(), r.user.Name, hash); err != nil {
		return err
	}
	return r.done("That log-in has ended.", "/account")
}

// chooseTheme goes back to the page that the choice was made on.
func chooseTheme(r *request) error {
	form, err := web.ReadForm(r.Context, "theme")
	if err != nil {
		return err
	}
	r.site.tools.SetTheme(r.Context, form.Get("theme"))
	return web.Redirect(r.Context, r.back())
}

// back is the page of this site that the request came from, the account where
// it does not say.
func (r *request) back() string {
	from, err := url.Parse(r.Request().Referer())
	if err != nil || from.Host != r.Request().Host {
		return "/account"
	}
	return web.LocalPath(from.RequestURI())
}
