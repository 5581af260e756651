package handlers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

func showSignIn(r *request) error {
	// signOut adds "ended" to the address for a user with single sign-on.
	ended := r.QueryParam("ended") != "" && r.site.tools.ProviderSignOut(r.ctx()) != ""
	return r.renderSignIn(http.StatusOK, views.SignIn{ProviderSignOut: ended})
}

// renderSignIn renders the sign-in page. It has a button for passkeys if browsers allow
// them at this address.
func (r *request) renderSignIn(status int, p views.SignIn) error {
	p.Page, p.Next = r.page("Sign in"), r.nextPath()
	p.Provider, p.ProviderOnly, p.Forgot = r.site.providerName(), r.site.isProviderOnly(), r.site.sendsPasswordLinks()
	var err error
	if p.Passkey, err = r.passkeyForm(views.NextPath("/login/passkey", p.Next), "Sign in with a passkey", p.Form); err != nil {
		return err
	}
	return r.site.tools.RenderStatus(r.Context, status, views.SignInPage(p))
}

// messageWrongPassword is also the message for a used one-time password, because another
// message would reveal that the user exists.
const messageWrongPassword = "Wrong user name or password. A one-time password works only once and expires after 24 hours. If yours no longer works, ask an admin for another one."

// signIn signs a user in with a password. It limits the attempts; see
// store.AttemptSignIn. The message is the same for an unknown name and for a wrong
// password, as the OWASP Authentication Cheat Sheet recommends ("Authentication and
// Error Messages").
func signIn(r *request) error {
	form, err := web.ReadForm(r.Context, "username", "password", "form")
	if err != nil {
		return err
	}
	attempt := r.site.tools.SignInAttempt(r.Context, form.Get("username"))
	wait, err := r.site.store.AttemptSignIn(r.ctx(), attempt)
	if err != nil {
		return err
	}
	if wait.Now > 0 {
		r.retryAfter(wait.Now)
		return r.renderSignInError(http.StatusTooManyRequests, form, retryMessage(wait.Now))
	}
	user, err := r.site.store.Authenticate(r.ctx(), attempt.Name, form.Get("password"))
	if store.KindOf(err) == store.Forbidden || err == nil && !r.site.mayUsePassword(user) {
		r.recordFailedSignIn(attempt, wait.Next)
		return r.renderSignInError(http.StatusUnprocessableEntity, form, messageWrongPassword)
	}
	if err != nil {
		r.withdrawSignIn(attempt)
		return err
	}
	if user.SecondFactor {
		// Withdraw the attempt, but do not reset the counters of failed attempts.
		// Otherwise, an attacker who knows the password could reset them and guess codes
		// without limit.
		if err := r.site.store.WithdrawSignIn(r.ctx(), attempt); err != nil {
			return err
		}
		web.LogAccount(r.Context, user.Name)
		return r.askForCode(user, false, http.StatusOK, form, "")
	}
	if err := r.site.store.SignInSucceeded(r.ctx(), attempt); err != nil {
		return err
	}
	return r.finishSignIn(user, store.NoFactor, false, form)
}

// outcomeTimeout limits the table requests that withdraw an attempt or record a failure.
// The timeout of the HTTP request does not apply to them, because it may already have
// passed.
const outcomeTimeout = 2 * time.Second

// withdrawSignIn withdraws a counted attempt that failed for a reason other than a wrong
// password. If the client has disconnected, the attempt still counts. Otherwise, attackers
// could avoid the limit on attempts by disconnecting.
func (r *request) withdrawSignIn(attempt store.SignInAttempt) {
	if errors.Is(context.Cause(r.ctx()), context.Canceled) {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.ctx()), outcomeTimeout)
	defer cancel()
	if err := r.site.store.WithdrawSignIn(ctx, attempt); err != nil {
		r.site.tools.LogFailure(r.Context, "sign-in attempt not withdrawn", err)
	}
}

// recordFailedSignIn records a failed attempt in the history, even if the client has
// disconnected. Otherwise, attackers could guess passwords without being noticed.
func (r *request) recordFailedSignIn(attempt store.SignInAttempt, wait time.Duration) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.ctx()), outcomeTimeout)
	defer cancel()
	name, err := r.site.store.SignInFailed(ctx, attempt, wait)
	if err != nil {
		r.site.tools.LogFailure(r.Context, "failed sign-in not recorded", err)
		return
	}
	web.LogAccount(r.Context, name)
}

func (r *request) renderSignInError(status int, form web.Form, message string) error {
	return r.renderSignIn(status, views.SignIn{Username: form.Get("username"), Error: message, Form: form.Get("form")})
}

// nextPath returns the path of the page to open after sign-in, or "" for the page Today.
func (r *request) nextPath() string {
	if next := web.LocalPath(cmp.Or(r.next, r.QueryParam("next"))); next != "/" {
		return next
	}
	return ""
}

// retryAfter sets the Retry-After header, in whole seconds.
func (r *request) retryAfter(wait time.Duration) {
	r.Response().Header().Set(echo.HeaderRetryAfter, strconv.Itoa(int(math.Ceil(wait.Seconds()))))
}

func retryMessage(wait time.Duration) string {
	seconds := int(math.Ceil(wait.Seconds()))
	if seconds < 120 {
		return "Too many attempts. Try again in " + store.NumberOf(seconds, "second", "seconds") + "."
	}
	return fmt.Sprintf("Too many attempts. Try again in %d minutes.", (seconds+59)/60)
}

func signOut(r *request) error {
	path := "/login"
	if web.Session(r.Context).Provider && r.site.signOn != nil {
		path += "?ended=provider"
	}
	if err := r.site.tools.SignOut(r.Context); err != nil {
		return err
	}
	return r.redirectWithFlash("You are signed out.", path)
}
