package handlers

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"stockroom/store"
)

// healthz reports that the process is running.
func healthz(r *request) error { return r.String(http.StatusOK, "ok\n") }

// readyz reports that the server is ready, if the table answers requests.
func readyz(r *request) error {
	if err := r.site.store.Ready(r.ctx()); err != nil {
		return &store.Error{Kind: store.Busy, Message: "Stockroom can't connect to its table.", Err: err}
	}
	return r.String(http.StatusOK, "ready\n")
}

// securityText sends security.txt, which says where to report vulnerabilities. See
// https://www.rfc-editor.org/rfc/rfc9116
func securityText(r *request) error {
	if r.site.contact == "" {
		return echo.ErrNotFound
	}
	today := r.site.store.Now().UTC().Truncate(24 * time.Hour)
	text := fmt.Sprintf("Contact: %s\nExpires: %s\nPreferred-Languages: en\n", r.site.contact, today.AddDate(0, 6, 0).Format(time.RFC3339))
	if origin := r.site.tools.PublicOrigin(); origin != "" {
		text += "Canonical: " + origin + r.route.path + "\n"
	}
	return r.String(http.StatusOK, text)
}

// redirectToPassword redirects to the form that changes the password. Password managers
// open this address. See https://www.w3.org/TR/change-password-url/
func redirectToPassword(r *request) error {
	return r.Redirect(http.StatusSeeOther, "/account/password")
}

// notFound answers with status 404 if no route matches a request. If the path exists with
// other methods, it answers with status 405 and these methods.
func notFound(r *request) error {
	var allowed []string
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		other := r.Echo().NewContext(r.Request(), r.Response())
		r.Echo().Router().Find(method, r.Request().URL.Path, other)
		if other.Path() != r.Path() {
			allowed = append(allowed, method)
		}
	}
	if len(allowed) == 0 || slices.Contains(allowed, r.Request().Method) {
		return echo.ErrNotFound
	}
	r.Response().Header().Set(echo.HeaderAllow, strings.Join(allowed, ", "))
	return echo.ErrMethodNotAllowed
}

// serveWith converts an http.Handler to the handler of a route.
func serveWith(h http.Handler) func(*request) error {
	return func(r *request) error {
		h.ServeHTTP(r.Response(), r.Request())
		return nil
	}
}
