package handlers

import (
	"cmp"
	"errors"
	"net/http"
	"time"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// passkeyForm returns the form that asks the browser for a passkey. The argument form is
// the kept form to submit afterwards, or "".
func (r *request) passkeyForm(action, label, form string) (views.PasskeyForm, error) {
	request, err := r.site.tools.RequestPasskey(r.Context)
	return views.PasskeyForm{Action: action, Label: label, Options: request.Options, State: request.State, Form: form}, err
}

// signInWithPasskey signs a user in with a passkey, alone or after the password or the
// identity provider. A passkey counts as two factors, because the authenticator also checks
// a PIN, a fingerprint or a face.
func signInWithPasskey(r *request) error {
	form, err := web.ReadForm(r.Context, "state", "credential", "step", "form")
	if err != nil {
		return err
	}
	user, err := r.usePasskey(form)
	first := web.Step{}
	if step := r.site.tools.ReadStep(form.Get("step")); err == nil && step.Name == user.Name && step.Version == user.Version {
		first = step
	}
	if err == nil && !r.site.mayUsePasskey(user, first) {
		r.recordFailedSignIn(r.site.tools.SignInAttempt(r.Context, user.Name), 0)
		err = &store.Error{Kind: store.Forbidden, Message: "Sign in with " + r.site.providerName() + "."}
	}
	if store.KindOf(err) == store.Forbidden {
		return r.renderSignInError(http.StatusUnprocessableEntity, form, messageOf(err))
	}
	if err != nil {
		return err
	}
	return r.finishSignIn(user, store.FactorPasskey, first.Provider, form)
}

// usePasskey verifies the browser's response and returns the user of the passkey. The
// history records failed attempts. The user does not have to wait for the next attempt,
// because a signature cannot be guessed.
func (r *request) usePasskey(form web.Form) (*store.User, error) {
	user, err := r.site.tools.UsePasskey(r.Context, form.Get("state"), form.Get("credential"))
	if store.KindOf(err) == store.Forbidden {
		r.recordFailedSignIn(r.site.tools.SignInAttempt(r.Context, ""), 0)
	}
	return user, err
}

// messageOf returns the message if err is an error of the store, or "".
func messageOf(err error) string {
	var known *store.Error
	if errors.As(err, &known) {
		return known.Message
	}
	return ""
}

// attempt calls verify to check a proof of identity. If verify returns Forbidden, the
// attempt counts as failed. After too many failed attempts, attempt returns the time to
// wait instead of calling verify.
func (r *request) attempt(attempt store.SignInAttempt, verify func() error) (time.Duration, error) {
	wait, err := r.site.store.AttemptSignIn(r.ctx(), attempt)
	if err != nil || wait.Now > 0 {
		return wait.Now, err
	}
	err = verify()
	switch {
	case store.KindOf(err) == store.Forbidden:
		r.recordFailedSignIn(attempt, wait.Next)
		return 0, err
	case err != nil:
		r.withdrawSignIn(attempt)
		return 0, err
	}
	return 0, r.site.store.SignInSucceeded(r.ctx(), attempt)
}

// startSession starts a session of the user. The argument provider is true if the identity
// provider authenticated the user.
func (r *request) startSession(user *store.User, factor store.Factor, provider bool) error {
	if provider {
		return r.site.tools.SignInFromProvider(r.Context, user, factor)
	}
	return r.site.tools.SignIn(r.Context, user, factor)
}

// finishSignIn starts the session. It then shows the form that the user submitted
// before the sign-in, or redirects to the next page. A user with a one-time password is
// redirected to the form for a new password.
func (r *request) finishSignIn(user *store.User, factor store.Factor, provider bool, form web.Form) error {
	web.LogAccount(r.Context, user.Name)
	if err := r.startSession(user, factor, provider); err != nil {
		return err
	}
	if user.MustChange {
		return web.Redirect(r.Context, "/account/password")
	}
	if kept := form.Get("form"); kept != "" {
		return r.offerKeptForm(kept, user, false)
	}
	return web.Redirect(r.Context, cmp.Or(r.nextPath(), "/"))
}
