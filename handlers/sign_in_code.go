package handlers

import (
	"net/http"
	"time"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// askForCode shows the second step of a sign-in: a code or a passkey. The argument provider
// is true if the identity provider did the first step.
func (r *request) askForCode(user *store.User, provider bool, status int, form web.Form, message string) error {
	step, err := r.site.tools.SignStep(web.Step{Name: user.Name, Version: user.Version, Provider: provider})
	if err != nil {
		return err
	}
	factor, err := r.site.store.SecondFactorOf(r.ctx(), user.Name)
	if err != nil {
		return err
	}
	p := views.SignInCode{Step: step, Next: r.nextPath(), Username: user.Name, Form: form.Get("form"), Error: message, HasApp: factor.HasApp()}
	if len(factor.Passkeys) > 0 {
		if p.Passkey, err = r.passkeyForm(p.PasskeyAction(), "Use a passkey", form.Get("form")); err != nil {
			return err
		}
		p.Passkey.Step = step
	}
	p.Page = r.page("Enter your code")
	return r.site.tools.RenderStatus(r.Context, status, views.SignInCodePage(p))
}

// signInWithCode handles the second step of a sign-in. A wrong code counts as a failed
// attempt, like a wrong password.
func signInWithCode(r *request) error {
	form, err := web.ReadForm(r.Context, "step", "code", "form")
	if err != nil {
		return err
	}
	step := r.site.tools.ReadStep(form.Get("step"))
	user, err := r.site.store.UserAtStep(r.ctx(), step.Name, step.Version)
	if step.Name == "" || store.KindOf(err) == store.Forbidden {
		return r.renderSignInError(http.StatusUnprocessableEntity, form, "Your sign-in took too long, or your account has changed. Sign in again.")
	}
	if err != nil {
		return err
	}
	attempt := r.site.tools.SignInAttempt(r.Context, step.Name)
	attempt.Code = true
	factor, wait, err := r.useCode(attempt, form.Get("code"))
	switch {
	case wait > 0:
		r.retryAfter(wait)
		return r.askForCode(user, step.Provider, http.StatusTooManyRequests, form, retryMessage(wait))
	case store.KindOf(err) == store.Forbidden:
		return r.askForCode(user, step.Provider, http.StatusUnprocessableEntity, form, "This code is wrong or was already used.")
	case err != nil:
		return err
	}
	return r.finishSignIn(user, factor, step.Provider, form)
}

// useCode checks a code, which cannot be used again. It returns Forbidden if the code is
// wrong. After too many failed attempts, it returns the time to wait instead of checking
// the code.
func (r *request) useCode(attempt store.SignInAttempt, code string) (factor store.Factor, wait time.Duration, err error) {
	wait, err = r.attempt(attempt, func() (err error) {
		factor, err = r.site.store.UseCode(r.ctx(), attempt.Name, code)
		return err
	})
	return factor, wait, err
}
