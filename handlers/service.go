package handlers

import (
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"stockroom/store"
)

// healthz reports that the process is running.
func healthz(r *request) error { return r.String(http.StatusOK, "ok\n") }

// readyz reports whether the table responds.
func readyz(r *request) error {
	if err := r.site.store.Ready(r.ctx()); err != nil {
		return &store.Error{Kind: store.Busy, Message: "Stockroom can't connect to its table.", Err: err}
	}
	return r.String(http.StatusOK, "ready\n")
}

// notFound handles requests that match no route. If the path exists for other methods, it
// returns 405 with these methods.
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

// serveWith makes a route handler from an http.Handler.
func serveWith(h http.Handler) func(*request) error {
	return func(r *request) error {
		h.ServeHTTP(r.Response(), r.Request())
		return nil
	}
}
