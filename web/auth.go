package web

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"unicode"

	"github.com/labstack/echo/v4"

	"stockroom/store"
)

// Paths of the pages to which Require redirects.
const (
	signInPath   = "/login"
	passwordPath = "/account/password"
	factorPath   = "/account/second-factor"
)

// Keys of values in the echo context.
const (
	contextSession = "session"
	contextReads   = "session reads"
	contextFormat  = "format"
	contextAccount = "account" // the name of the user who tries to sign in
	contextFile    = "file"    // the *SentFile of the response
	contextFilters = "filters" // the names of the filters of the list
)

// Require returns middleware that checks a permission. The permission Anyone allows all
// requests. For others, Require asks unauthenticated users to sign in. If the user lacks
// the permission, it returns a 403 error. Unless the permission is SignedIn, it redirects
// users with a one-time password to the page for a new password, and users without a
// required second factor to the page where they set one up. During a view (see
// StartViewAs), it rejects requests that could change something.
func (t *Tools) Require(permission store.Permission) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		if permission == store.Anyone {
			return next
		}
		return func(c echo.Context) error {
			if err := t.loadSession(c); err != nil {
				return err
			}
			if err := t.loadViewedUser(c); err != nil {
				return err
			}
			user := User(c)
			switch {
			case user == nil:
				return t.requireSignIn(c, permission)
			case user.MustChange && permission != store.SignedIn:
				return Redirect(c, passwordPath)
			case !user.May(permission):
				return Forbidden(permission)
			}
			if permission != store.SignedIn {
				lacks, err := t.lacksFactor(c)
				if err != nil {
					return err
				}
				if lacks {
					return Redirect(c, factorPath)
				}
			}
			if err := t.requireChangeable(c); err != nil {
				return err
			}
			return next(c)
		}
	}
}

// lacksFactor reports whether the session lacks a second factor that the settings
// require.
func (t *Tools) lacksFactor(c echo.Context) (bool, error) {
	session := Session(c)
	if session == nil || session.Factor != store.NoFactor {
		return false, nil
	}
	trace, _ := c.Get(contextReads).(*store.Trace)
	settings, err := t.config.Store.Settings(store.WithTrace(c.Request().Context(), trace))
	return settings.RequiresFactor(session.User.Role), err
}

// Forbidden returns the error for a user without a permission. Its message lists the roles
// that have the permission.
func Forbidden(permission store.Permission) error {
	message := messages[http.StatusForbidden]
	if roles := store.RolesWith(permission); roles != "" {
		message = "Your role can't open this page. Roles that can: " + roles + "."
	}
	return echo.NewHTTPError(http.StatusForbidden, message)
}

// loadSession reads the session of the request and stores it in the context. If the request
// has an access token, it verifies the token instead. It records its table reads in a
// separate trace, so that they do not count as reads of the page.
func (t *Tools) loadSession(c echo.Context) error {
	if token, found := bearerToken(c.Request()); found {
		return t.loadToken(c, token)
	}
	trace := &store.Trace{}
	r := c.Request()
	_, session, err := t.sessions.find(store.WithTrace(r.Context(), trace), r)
	if err != nil {
		return err
	}
	if session != nil {
		c.Set(contextSession, session)
	}
	c.Set(contextReads, trace)
	return nil
}

// Session returns the session of the request. It returns nil if nobody is signed in, or
// if the request has an access token.
func Session(c echo.Context) *store.Session {
	session, _ := c.Get(contextSession).(*store.Session)
	return session
}

// User returns the user for whom the request shows pages, or nil if nobody is signed in.
// While an admin views the site as another user, it returns that user. While an admin views
// the site as a role, it returns the admin with that role.
func User(c echo.Context) *store.User {
	if viewed, ok := c.Get(contextViewed).(*store.User); ok {
		return viewed
	}
	return SignedInUser(c)
}

// SessionReads returns the table reads that Require made for the session, the access token,
// the settings and the viewed user.
func SessionReads(c echo.Context) []store.Read {
	trace, _ := c.Get(contextReads).(*store.Trace)
	return trace.Reads()
}

// SignIn ends the browser's previous session and starts a new one for the user. The new
// session has another ID, which prevents session fixation; see
// https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html
func (t *Tools) SignIn(c echo.Context, user *store.User, factor store.Factor) error {
	return t.signIn(c, user, factor, t.config.Store.StartSession)
}

// SignInFromProvider is like SignIn, for a user whom the identity provider has
// authenticated.
func (t *Tools) SignInFromProvider(c echo.Context, user *store.User, factor store.Factor) error {
	return t.signIn(c, user, factor, t.config.Store.StartProviderSession)
}

func (t *Tools) signIn(c echo.Context, user *store.User, factor store.Factor, start startSession) error {
	if err := t.replaceSession(c, user, factor, start); err != nil {
		return err
	}
	return t.setDevice(c, user.Name)
}

// ContinueSession starts a new session in the user's browser. Call it after a change of the
// user that has ended the previous session, such as a new password. It does not set the
// device cookie, because each device cookie has its own count of wrong codes. An attacker
// who knows the password could otherwise change the password again and again, get a new
// cookie each time, and guess codes without limit.
func (t *Tools) ContinueSession(c echo.Context, user *store.User, factor store.Factor) error {
	old := Session(c)
	return t.replaceSession(c, user, factor, func(ctx context.Context, user *store.User, factor store.Factor, id, agent string) (*store.Session, error) {
		return t.config.Store.ContinueSession(ctx, user, old, factor, id, agent)
	})
}

// startSession is the type of the store's methods that start a session.
type startSession func(ctx context.Context, user *store.User, factor store.Factor, id, agent string) (*store.Session, error)

func (t *Tools) replaceSession(c echo.Context, user *store.User, factor store.Factor, start startSession) error {
	r := c.Request()
	session, err := t.sessions.New(r, t.sessions.name)
	if err != nil {
		return err
	}
	if !session.IsNew {
		if err := t.config.Store.EndSession(r.Context(), session.ID); err != nil {
			return err
		}
	}
	session.ID = newSessionID()
	started, err := start(r.Context(), user, factor, session.ID, r.UserAgent())
	if err != nil {
		return err
	}
	c.Set(contextSession, started)
	return t.sessions.Save(r, c.Response(), session)
}

// ConfirmSession records that the user has proved their identity again in this browser, and
// gives the session a new ID. It returns NotFound if hash is not the hash of the browser's
// session.
func (t *Tools) ConfirmSession(c echo.Context, hash string, factor store.Factor) error {
	r := c.Request()
	session, err := t.sessions.New(r, t.sessions.name)
	if err != nil {
		return err
	}
	if stored, ok := session.Values[sessionValue].(*store.Session); !ok || stored.Hash != hash {
		return &store.Error{Kind: store.NotFound, Message: "Your session has ended. Sign in again."}
	}
	session.ID = newSessionID()
	confirmed, err := t.config.Store.ConfirmSession(r.Context(), hash, session.ID, factor)
	if err != nil {
		return err
	}
	c.Set(contextSession, confirmed)
	return t.sessions.Save(r, c.Response(), session)
}

// SignOut ends the session of the request, and deletes the drafts of the browser.
func (t *Tools) SignOut(c echo.Context) error {
	session, err := t.sessions.New(c.Request(), t.sessions.name)
	if err != nil {
		return err
	}
	session.Options.MaxAge = -1
	c.SetCookie(t.cookie(draftCookie, "", -1))
	return t.sessions.Save(c.Request(), c.Response(), session)
}

// Redirect answers with 303 See Other.
func Redirect(c echo.Context, path string) error {
	return c.Redirect(http.StatusSeeOther, path)
}

// LocalPath returns next if next is a path of this site, otherwise "/". Browsers
// treat \ as / and drop control characters, so LocalPath rejects both. See
// https://cheatsheetseries.owasp.org/cheatsheets/Unvalidated_Redirects_and_Forwards_Cheat_Sheet.html
func LocalPath(next string) string {
	if !strings.HasPrefix(next, "/") || strings.HasPrefix(next, "//") ||
		strings.ContainsFunc(next, func(r rune) bool { return r == '\\' || unicode.IsControl(r) || unicode.IsSpace(r) }) {
		return "/"
	}
	u, err := url.Parse(next)
	if err != nil || u.Host != "" || u.Scheme != "" || strings.HasPrefix(u.Path, "//") || strings.ContainsFunc(u.Path, unicode.IsControl) || strings.Contains(u.Path, `\`) {
		return "/"
	}
	return next
}
