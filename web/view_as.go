package web

import (
	"net/http"
	"slices"
	"strings"

	"github.com/gorilla/securecookie"
	"github.com/labstack/echo/v4"

	"stockroom/store"
)

// An admin can view the site as another role or user. A signed cookie names the
// target and the session, so that it ends with the session. Requests that could change
// something are refused.
const (
	viewAsCookie  = "view-as"
	viewAsMaxAge  = 60 * 60 // seconds
	contextViewed = "viewed user"

	// EndViewAsPath ends the view.
	EndViewAsPath = "/view-as/end"
)

// changesOfViewer are the paths of forms that concern the browser or the session only.
var changesOfViewer = []string{EndViewAsPath, "/logout", "/theme"}

func viewAsCodecs(keys [][]byte) []securecookie.Codec {
	codecs := make([]securecookie.Codec, len(keys))
	for i, key := range keys {
		codecs[i] = newCodec(key, "view as", viewAsMaxAge)
	}
	return codecs
}

// StartViewAs shows the following pages as the target; see store.ViewAs.
func (t *Tools) StartViewAs(c echo.Context, target string) error {
	value, err := securecookie.EncodeMulti(viewAsCookie, []byte(Session(c).Hash+"\n"+target), t.views...)
	if err != nil {
		return err
	}
	c.SetCookie(t.cookie(viewAsCookie, value, viewAsMaxAge))
	return nil
}

// EndViewAs shows the following pages as the user who signed in.
func (t *Tools) EndViewAs(c echo.Context) { c.SetCookie(t.cookie(viewAsCookie, "", -1)) }

// IsViewing reports whether the request shows the site as another role or user.
func IsViewing(c echo.Context) bool { return c.Get(contextViewed) != nil }

// SignedInUser returns the user who signed in, also while viewing the site as someone
// else.
func SignedInUser(c echo.Context) *store.User {
	if session := Session(c); session != nil {
		return &session.User
	}
	return nil
}

// loadViewedUser stores the viewed user of the request in its context. It ignores the
// cookie of another session and a target that no longer exists.
func (t *Tools) loadViewedUser(c echo.Context) error {
	session := Session(c)
	cookie, err := c.Cookie(viewAsCookie)
	if err != nil || session == nil || !session.User.May(store.Administer) {
		return nil
	}
	var text []byte
	if securecookie.DecodeMulti(viewAsCookie, cookie.Value, &text, t.views...) != nil {
		return nil
	}
	hash, target, _ := strings.Cut(string(text), "\n")
	if hash != session.Hash {
		return nil
	}
	trace, _ := c.Get(contextReads).(*store.Trace)
	viewed, err := t.config.Store.As(&session.User).ViewedUser(store.WithTrace(c.Request().Context(), trace), target)
	switch store.KindOf(err) {
	case store.NotFound, store.Invalid:
		return nil
	}
	if err != nil {
		return err
	}
	c.Set(contextViewed, viewed)
	return nil
}

// requireChangeable returns 403 for a request that could change something while
// viewing the site as someone else.
func requireChangeable(c echo.Context) error {
	method := c.Request().Method
	if !IsViewing(c) || method == http.MethodGet || method == http.MethodHead || slices.Contains(changesOfViewer, c.Path()) {
		return nil
	}
	return echo.NewHTTPError(http.StatusForbidden, "You are viewing the site as someone else, so nothing can be changed. Stop viewing first.")
}
