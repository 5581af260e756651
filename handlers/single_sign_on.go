package handlers

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// signOnPath is the path that redirects to the identity provider.
const signOnPath = "/login/sso"

// mayUsePassword reports whether a user may sign in without the identity provider.
func (s *site) mayUsePassword(user *store.User) bool {
	return !s.isProviderOnly() || user.Name == s.signOn.EmergencyUser
}

// mayUsePasskey reports whether a user may sign in with a passkey after the first step,
// which is zero if there was none. Users who were created by single sign-on need a first
// step: a passkey alone would still sign them in after the provider has removed them.
func (s *site) mayUsePasskey(user *store.User, first web.Step) bool {
	switch {
	case first.Provider:
		return true
	case first == web.Step{} && s.signOn != nil && user.Identity != "" && user.Name != s.signOn.EmergencyUser:
		return false
	}
	return s.mayUsePassword(user)
}

// providerName returns the name of the identity provider, or "" without single sign-on.
func (s *site) providerName() string {
	if s.signOn == nil {
		return ""
	}
	return s.signOn.Name
}

// isProviderOnly reports whether only the emergency user can sign in without the
// provider.
func (s *site) isProviderOnly() bool { return s.signOn != nil && s.signOn.EmergencyUser != "" }

// startSignOn redirects the browser to the identity provider.
func startSignOn(r *request) error {
	if r.site.signOn == nil {
		return echo.ErrNotFound
	}
	return r.goToProvider(web.SignOn{Next: r.nextPath()})
}

// startProviderConfirm redirects a signed-in user to the identity provider, which asks
// for a proof of identity. A user who cannot confirm at the provider is redirected to
// the page for other confirmations.
func startProviderConfirm(r *request) error {
	session := web.Session(r.Context)
	factor, err := r.site.store.SecondFactorOf(r.ctx(), web.SignedInUser(r.Context).Name)
	if err != nil {
		return err
	}
	if r.confirmingProvider(factor.IsSet()) == "" {
		return web.Redirect(r.Context, views.NextPath(confirmPath, r.nextPath()))
	}
	return r.goToProvider(web.SignOn{Next: r.nextPath(), Session: session.Hash})
}

func (r *request) goToProvider(s web.SignOn) error {
	address, err := r.site.tools.StartSignOn(r.Context, s)
	var failed *web.SignOnError
	if errors.As(err, &failed) {
		r.site.tools.LogSignOn(r.Context, err)
		return r.signOnProblem(http.StatusServiceUnavailable, s, failed.Message)
	}
	if err != nil {
		return err
	}
	return web.Redirect(r.Context, address)
}

// finishSignOn handles the answer of the identity provider. It signs the user in, or
// records that a signed-in user has confirmed their identity.
func finishSignOn(r *request) error {
	if r.site.signOn == nil {
		return echo.ErrNotFound
	}
	answer, err := r.site.tools.FinishSignOn(r.Context)
	var failed *web.SignOnError
	switch {
	case errors.As(err, &failed) && failed.SignOn == nil:
		r.site.tools.LogSignOn(r.Context, err)
		return r.signOnProblem(http.StatusForbidden, web.SignOn{}, failed.Message)
	case failed != nil:
		return r.signOnFailed("", err, *failed.SignOn, failed.Message)
	case err != nil:
		return err
	case answer.SignOn.Session != "":
		return r.confirmWithProvider(answer)
	}
	user, err := r.site.store.SignInFromProvider(r.ctx(), answer.User)
	switch {
	case store.KindOf(err) == store.Forbidden && user == nil:
		return r.signOnFailed("", err, answer.SignOn, messageOf(err))
	case store.KindOf(err) == store.Forbidden:
		return r.signOnFailed(user.Name, err, answer.SignOn, messageOf(err))
	case err != nil:
		return err
	}
	r.next = answer.SignOn.Next
	if user.SecondFactor && answer.Factor == store.NoFactor {
		web.LogAccount(r.Context, user.Name)
		return r.askForCode(user, true, http.StatusOK, web.Form{}, "")
	}
	return r.finishSignIn(user, answer.Factor, true, web.Form{})
}

// confirmWithProvider records that the user of the session has confirmed their identity
// at the provider.
func (r *request) confirmWithProvider(answer *web.ProviderAnswer) error {
	session, err := r.site.store.SessionOf(r.ctx(), answer.SignOn.Session)
	if store.KindOf(err) == store.NotFound {
		return r.signOnProblem(http.StatusForbidden, web.SignOn{Next: answer.SignOn.Next}, "Your session has ended. Sign in again.")
	}
	if err != nil {
		return err
	}
	same, err := r.site.store.IsProviderIdentity(r.ctx(), session.User.Name, answer.User.Issuer, answer.User.Subject)
	if err != nil {
		return err
	}
	if !same {
		const message = "You signed in to the sign-in service as a different user. Sign in there as the user who is signed in here."
		return r.signOnFailed(session.User.Name, errors.New("another person confirmed"), answer.SignOn, message)
	}
	factor, err := r.site.store.SecondFactorOf(r.ctx(), session.User.Name)
	if err != nil {
		return err
	}
	switch {
	case answer.User.Role == "":
		_, err := r.site.store.SignInFromProvider(r.ctx(), answer.User) // without a role, this ends the user's sessions and returns Forbidden
		if store.KindOf(err) != store.Forbidden {
			return err
		}
		return r.signOnFailed(session.User.Name, err, answer.SignOn, messageOf(err))
	case factor.IsSet():
		return r.signOnProblem(http.StatusForbidden, answer.SignOn, "Confirm your identity with your own second factor, not with "+r.site.providerName()+".")
	}
	if err := r.site.tools.ConfirmSession(r.Context, session.Hash, answer.Factor); err != nil {
		return err
	}
	return web.Redirect(r.Context, web.LocalPath(answer.SignOn.Next))
}

// signOnFailed records a failed sign-in at the provider in the log and in the history, and
// shows the message. The user does not have to wait for the next attempt, because
// signatures cannot be guessed. After many failures from one network, the history does not
// record all of them.
func (r *request) signOnFailed(name string, cause error, s web.SignOn, message string) error {
	r.site.tools.LogSignOn(r.Context, cause)
	attempt := r.site.tools.SignInAttempt(r.Context, name)
	attempt.Provider = true
	switch wait, err := r.site.store.AttemptSignIn(r.ctx(), attempt); {
	case err != nil:
		return err
	case wait.Now == 0:
		r.recordFailedSignIn(attempt, 0)
	}
	return r.signOnProblem(http.StatusForbidden, s, message)
}

// signOnProblem shows why single sign-on failed. It shows the reason on the sign-in
// page, or on an error page if a signed-in user wanted to confirm their identity.
func (r *request) signOnProblem(status int, s web.SignOn, message string) error {
	if s.Session != "" {
		return echo.NewHTTPError(status, message)
	}
	r.next = s.Next
	return r.renderSignIn(status, views.SignIn{Error: message})
}

// signOutAtProvider redirects to the page on which the user can sign out of the identity
// provider.
func signOutAtProvider(r *request) error {
	address := r.site.tools.ProviderSignOut(r.ctx())
	if address == "" {
		return web.Redirect(r.Context, "/login")
	}
	return web.Redirect(r.Context, address)
}
