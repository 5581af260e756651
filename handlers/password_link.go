package handlers

import (
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

// sendsPasswordLinks reports whether users can get a link for a new password by email.
// This needs a mail server and the public URL. The link cannot use the Host header of
// the request: an attacker could forge it, and the link would lead to another site.
func (s *site) sendsPasswordLinks() bool {
	return s.hasURL && s.jobs != nil && s.jobs.SendsEmails()
}

func showForgotPassword(r *request) error {
	if !r.site.sendsPasswordLinks() {
		return echo.ErrNotFound
	}
	return r.forgotPasswordPage(http.StatusOK, ui.Input{})
}

func (r *request) forgotPasswordPage(status int, username ui.Input) error {
	return r.site.tools.RenderStatus(r.Context, status, views.ForgotPasswordPage(views.ForgotPassword{Page: r.page("Forgot your password?"), Username: username}))
}

// requestPasswordLink emails a link for a new password. The response is the same for all
// user names, so that it does not reveal which users exist.
func requestPasswordLink(r *request) error {
	if !r.site.sendsPasswordLinks() {
		return echo.ErrNotFound
	}
	form, err := web.ReadForm(r.Context, "username")
	if err != nil {
		return err
	}
	name := form.Get("username")
	if strings.TrimSpace(name) == "" {
		return r.forgotPasswordPage(http.StatusUnprocessableEntity, ui.Input{Error: "Enter your user name."})
	}
	attempt := r.site.tools.SignInAttempt(r.Context, name)
	attempt.Device, attempt.Link = "", true
	wait, err := r.site.store.AttemptSignIn(r.ctx(), attempt)
	if err != nil {
		return err
	}
	if wait.Now > 0 {
		r.retryAfter(wait.Now)
		return r.forgotPasswordPage(http.StatusTooManyRequests, ui.Input{Value: name, Error: retryMessage(wait.Now)})
	}
	r.site.jobs.SendPasswordLink(name, r.RealIP(), r.site.mayUsePassword)
	return r.redirectWithFlash("If this user can sign in with a password and has an email address, we have emailed a link to choose a new password. The link works only once and expires after 30 minutes.", "/login")
}

func showPasswordLink(r *request) error {
	user, err := r.site.store.OpenPasswordLink(r.ctx(), r.param("link"), r.param("code"))
	return r.passwordLinkPage(user, err, http.StatusOK, views.PasswordForm{})
}

// passwordLinkPage shows the form for a new password. If the link does not work, it
// shows the reason instead.
func (r *request) passwordLinkPage(user *store.User, err error, status int, form views.PasswordForm) error {
	p := views.PasswordLink{PasswordForm: form, Path: views.PasswordLinkPath(r.param("link"), r.param("code")), CanAskAgain: r.site.sendsPasswordLinks(), Token: r.newFormToken()}
	switch {
	case store.KindOf(err) == store.NotFound:
		p.Problem, status = messageOf(err), http.StatusNotFound
	case err != nil:
		return err
	default:
		p.Username = user.Name
	}
	p.Page = r.page("Choose a new password")
	return r.site.tools.RenderStatus(r.Context, status, views.PasswordLinkPage(p))
}

// usePasswordLink changes the password. The user must then sign in, with the second factor
// if there is one.
func usePasswordLink(r *request) error {
	form, err := r.readForm("password", "again")
	if err != nil {
		return err
	}
	link, code := r.param("link"), r.param("code")
	user, err := r.site.store.OpenPasswordLink(r.ctx(), link, code)
	if err != nil {
		return r.passwordLinkPage(nil, err, http.StatusOK, views.PasswordForm{})
	}
	if form.Get("password") != form.Get("again") {
		return r.passwordLinkPage(user, nil, http.StatusUnprocessableEntity, views.PasswordForm{Again: ui.Input{Error: "The new passwords do not match."}})
	}
	err = r.site.store.UsePasswordLink(r.ctx(), link, code, form.Get("password"))
	var rejected *store.Error
	switch {
	case errors.As(err, &rejected) && rejected.Field == "password":
		return r.passwordLinkPage(user, nil, http.StatusUnprocessableEntity, views.PasswordForm{Password: ui.Input{Error: rejected.Message}})
	case err != nil:
		return r.passwordLinkPage(user, err, http.StatusOK, views.PasswordForm{})
	}
	return r.redirectWithFlash("Password changed. Sign in with the new password.", "/login")
}
