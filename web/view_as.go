package web

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gorilla/securecookie"
	"github.com/labstack/echo/v4"

	"stockroom/store"
)

// An admin can view the site as another role or user. This mode is called a view. Its
// signed cookie contains the start time, the session and the target: the role or user.
// Requests that could change something are rejected, except those in changesOfViewer. A
// view ends after an hour, with its session, when the target no longer exists, or when the
// user is no longer an admin.
//
// The cookie of an ended view stays until the browser requests the next page. Until
// then, forms of the view can still be open in the browser. While the cookie exists,
// such a form cannot make a change as the admin.
const (
	viewAsCookie     = "view-as"
	viewAsLife       = time.Hour
	contextViewed    = "viewed user"
	contextViewEnded = "view ended"

	// ViewingToken is the form token on pages of a view. ReadChange rejects this token,
	// even if the view has ended in another tab.
	ViewingToken = "viewing"

	// EndViewAsPath is the path of the form that ends the view.
	EndViewAsPath = "/view-as/end"
)

var (
	errViewing   = echo.NewHTTPError(http.StatusForbidden, "You are viewing the site as someone else, so nothing can be changed. Stop viewing first.")
	errViewEnded = echo.NewHTTPError(http.StatusForbidden, "You are no longer viewing the site as someone else. Open the page again.")
)

// changesOfViewer lists the forms that are allowed during a view: they affect only the
// browser or the session.
var changesOfViewer = []string{EndViewAsPath, "/logout", "/theme"}

func viewAsCodecs(keys [][]byte) []securecookie.Codec {
	codecs := make([]securecookie.Codec, len(keys))
	for i, key := range keys {
		codecs[i] = newCodec(key, "view as", maxSessionAge)
	}
	return codecs
}

// StartViewAs starts a view as the target; see store.ViewAs.
func (t *Tools) StartViewAs(c echo.Context, target string) error {
	started := strconv.FormatInt(t.config.Store.Now().Unix(), 10)
	text := strings.Join([]string{started, Session(c).Hash, target}, "\n")
	value, err := securecookie.EncodeMulti(viewAsCookie, []byte(text), t.views...)
	if err != nil {
		return err
	}
	c.SetCookie(t.cookie(viewAsCookie, value, 0)) // no maximum age: the browser deletes the cookie when it closes, like the session cookie
	return nil
}

// EndViewAs ends the view. The following pages show the site as the user who signed
// in.
func (t *Tools) EndViewAs(c echo.Context) { c.SetCookie(t.cookie(viewAsCookie, "", -1)) }

// IsViewing reports whether the request shows the site as another role or user.
func IsViewing(c echo.Context) bool { return c.Get(contextViewed) != nil }

// SignedInUser returns the user who signed in, even while the request shows the site as
// someone else. For a request with an access token, it returns the owner with the role
// and scope of the token. It returns nil if nobody is signed in.
func SignedInUser(c echo.Context) *store.User {
	if use, ok := c.Get(contextToken).(*store.TokenUse); ok {
		return &use.User
	}
	if session := Session(c); session != nil {
		return &session.User
	}
	return nil
}

// loadViewedUser reads the cookie of a view. It stores the viewed user in the
// context, or contextViewEnded if the view has ended.
func (t *Tools) loadViewedUser(c echo.Context) error {
	session := Session(c)
	if session == nil || !t.hasViewCookie(c) {
		return nil
	}
	viewed, err := t.viewedUser(c, session)
	if err != nil {
		return err
	}
	if viewed == nil {
		c.Set(contextViewEnded, true)
		return nil
	}
	c.Set(contextViewed, viewed)
	return nil
}

// hasViewCookie reports whether the browser has the cookie of a view. The view itself
// may have ended.
func (t *Tools) hasViewCookie(c echo.Context) bool {
	cookie, err := t.readCookie(c, viewAsCookie)
	return err == nil && cookie.Value != ""
}

// viewedUser returns the user whose pages the view shows, or nil if the view has ended or
// its cookie cannot be read. If the target is a role, it returns the admin with that role.
func (t *Tools) viewedUser(c echo.Context, session *store.Session) (*store.User, error) {
	target := t.viewTarget(c, session)
	if target == "" || !session.User.May(store.Administer) {
		return nil, nil
	}
	trace, _ := c.Get(contextReads).(*store.Trace)
	viewed, err := t.config.Store.As(&session.User).ViewedUser(store.WithTrace(c.Request().Context(), trace), target)
	switch store.KindOf(err) {
	case store.NotFound, store.Invalid:
		return nil, nil
	}
	return viewed, err
}

// viewTarget returns the target in the view cookie. It returns "" if the cookie is invalid
// or from another session, or if the view started more than an hour ago.
func (t *Tools) viewTarget(c echo.Context, session *store.Session) string {
	cookie, err := t.readCookie(c, viewAsCookie)
	if err != nil {
		return ""
	}
	var text []byte
	if securecookie.DecodeMulti(viewAsCookie, cookie.Value, &text, t.views...) != nil {
		return ""
	}
	parts := strings.SplitN(string(text), "\n", 3)
	if len(parts) < 3 || parts[1] != session.Hash {
		return ""
	}
	started, err := strconv.ParseInt(parts[0], 10, 64)
	if err != nil || t.config.Store.Now().Sub(time.Unix(started, 0)) >= viewAsLife {
		return ""
	}
	return parts[2]
}

// requireChangeable returns a 403 error for a request that could change something if it has
// the cookie of a view, even of an ended one. It allows the requests in changesOfViewer.
// It deletes the cookie of an ended view, except for a read request of a script. After such
// a request, the user may still see a page of the view.
func (t *Tools) requireChangeable(c echo.Context) error {
	method := c.Request().Method
	reads := method == http.MethodGet || method == http.MethodHead
	hasEnded := c.Get(contextViewEnded) != nil
	if hasEnded && !(reads && IsScript(c.Request())) {
		t.EndViewAs(c)
	}
	switch {
	case reads || slices.Contains(changesOfViewer, c.Path()):
		return nil
	case hasEnded:
		return errViewEnded
	case IsViewing(c):
		return errViewing
	}
	return nil
}
