package web

import (
	"net/http"
	"net/url"
	"strings"
	"unicode"

	"github.com/labstack/echo/v4"

	"stockroom/store"
)

// Where people are sent who have to do something first.
const (
	loginPath    = "/login"
	passwordPath = "/account/password"
)

// What a request carries, by the names that echo keeps it under.
const (
	contextSession = "session"
	contextReads   = "session reads"
	contextFormat  = "format"
)

// Require lets through who has a permission. Whoever is not logged in is sent
// to do so, and comes back afterwards; whose password the program made is
// sent to choose another.
func (t *Tools) Require(permission store.Permission) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		if permission == store.Anyone {
			return next
		}
		return func(c echo.Context) error {
			if err := t.identify(c); err != nil {
				return err
			}
			user := User(c)
			switch {
			case user == nil:
				return logInFirst(c)
			case user.MustChange && permission != store.SignedIn:
				return Redirect(c, passwordPath)
			case !user.May(permission):
				return echo.NewHTTPError(http.StatusForbidden, "Your role does not include this page.")
			}
			return next(c)
		}
	}
}

// identify finds out who is asking. What that asks of the table is traced
// apart from what the page asks.
func (t *Tools) identify(c echo.Context) error {
	trace := &store.Trace{}
	r := c.Request()
	session, err := t.sessions.New(r.WithContext(store.WithTrace(r.Context(), trace)), t.sessions.name)
	if err != nil {
		return err
	}
	if kept, ok := session.Values[sessionValue].(*store.Session); ok {
		c.Set(contextSession, kept)
	}
	c.Set(contextReads, trace)
	return nil
}

// Session is the log-in of whoever is asking, nil where nobody is logged in.
func Session(c echo.Context) *store.Session {
	session, _ := c.Get(contextSession).(*store.Session)
	return session
}

// User is who is asking, nil where nobody is logged in.
func User(c echo.Context) *store.User {
	if session := Session(c); session != nil {
		return &session.User
	}
	return nil
}

// SessionReads is what knowing the user asked of the table.
func SessionReads(c echo.Context) []store.Read {
	trace, _ := c.Get(contextReads).(*store.Trace)
	return trace.Reads()
}

// LogIn begins a session of the user under a new ID, and ends the one that the
// browser had before: nobody's cookie of before the log-in is worth anything
// after it.
func (t *Tools) LogIn(c echo.Context, user *store.User) error {
	r := c.Request()
	before, err := t.sessions.New(r, t.sessions.name)
	if err != nil {
		return err
	}
	if !before.IsNew {
		if err := t.config.Store.EndSession(r.Context(), before.ID); err != nil {
			return err
		}
	}
	before.ID = newSessionID()
	if _, err := t.config.Store.StartSession(r.Context(), user, before.ID, r.UserAgent()); err != nil {
		return err
	}
	return t.sessions.Save(r, c.Response(), before)
}

// LogOut ends the session of the request.
func (t *Tools) LogOut(c echo.Context) error {
	session, err := t.sessions.New(c.Request(), t.sessions.name)
	if err != nil {
		return err
	}
	session.Options.MaxAge = -1
	return t.sessions.Save(c.Request(), c.Response(), session)
}

// logInFirst sends a person to the log-in and tells a program that it needs
// one.
func logInFirst(c echo.Context) error {
	if FormatOf(c) != HTML {
		return echo.NewHTTPError(http.StatusUnauthorized, "Log in first.")
	}
	if c.Request().Method != http.MethodGet {
		return Redirect(c, loginPath)
	}
	return Redirect(c, loginPath+"?next="+url.QueryEscape(c.Request().URL.RequestURI()))
}

// Redirect has the browser fetch another page, to go on with after a change
// or to see first.
func Redirect(c echo.Context, path string) error {
	return c.Redirect(http.StatusSeeOther, path)
}

// LocalPath is where to go on to, if that is a page of this site, and "/" if
// not. Browsers take \ for / and drop control characters, so an address that
// holds either is none of ours.
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
