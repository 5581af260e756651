package web

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"stockroom/store"
)

// contextToken is the key of the *store.TokenUse in the echo context.
const contextToken = "access token"

// errInvalidToken is the value of the WWW-Authenticate header in the response to an invalid
// access token; see https://datatracker.ietf.org/doc/html/rfc6750#section-3
const errInvalidToken = `Bearer error="invalid_token"`

// bearerToken returns the access token in the Authorization header. It ignores other
// schemes and other tokens, because a proxy may add them to every request.
func bearerToken(r *http.Request) (token string, found bool) {
	scheme, token, _ := strings.Cut(r.Header.Get(echo.HeaderAuthorization), " ")
	token = strings.TrimSpace(token)
	return token, strings.EqualFold(scheme, "Bearer") && strings.HasPrefix(token, store.AccessTokenPrefix)
}

// AccessToken returns the verified access token of the request, or nil if the request has
// none.
func AccessToken(c echo.Context) *store.AccessToken {
	if use, ok := c.Get(contextToken).(*store.TokenUse); ok {
		return &use.Token
	}
	return nil
}

// loadToken verifies an access token and stores its user in the context. It refuses
// requests that change something and requests for HTML pages, because access tokens can
// only read JSON and CSV. Its table reads do not count as reads of the page; see
// loadSession.
func (t *Tools) loadToken(c echo.Context, token string) error {
	r := c.Request()
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		return echo.NewHTTPError(http.StatusForbidden, "Access tokens can't change anything. Use them only to read addresses that end in .json or .csv.")
	case FormatOf(c) == HTML:
		return echo.NewHTTPError(http.StatusForbidden, "Access tokens can't open pages. Add .json or .csv to the path of the address.")
	}
	trace := &store.Trace{}
	c.Set(contextReads, trace)
	use, wait, err := t.config.Store.UseAccessToken(store.WithTrace(r.Context(), trace), token, networkOf(c.RealIP()))
	switch {
	case wait > 0:
		c.Response().Header().Set("Retry-After", fmt.Sprint(int(wait/time.Second)+1))
		return echo.NewHTTPError(http.StatusTooManyRequests, "Too many requests with invalid access tokens came from your network. Try again later.")
	case store.KindOf(err) == store.NotFound:
		c.Response().Header().Set(echo.HeaderWWWAuthenticate, errInvalidToken)
		return echo.NewHTTPError(http.StatusUnauthorized, "This access token is not valid. It may have expired or been revoked.")
	case err != nil:
		return err
	}
	c.Set(contextToken, use)
	return nil
}
