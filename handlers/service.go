package handlers

import (
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"stockroom/store"
)

// alive says that the program runs.
func alive(r *request) error { return r.String(http.StatusOK, "ok\n") }

// ready says that the table answers.
func ready(r *request) error {
	if err := r.site.store.Ready(r.ctx()); err != nil {
		return &store.Error{Kind: store.Busy, Message: "The table does not answer.", Err: err}
	}
	return r.String(http.StatusOK, "ready\n")
}

// nowhere answers for every path that no other row has, and for every method
// that the rows of a path do not take.
func nowhere(r *request) error {
	var taken []string
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		other := r.Echo().NewContext(r.Request(), r.Response())
		r.Echo().Router().Find(method, r.Request().URL.Path, other)
		if other.Path() != r.Path() {
			taken = append(taken, method)
		}
	}
	if len(taken) == 0 || slices.Contains(taken, r.Request().Method) {
		return echo.ErrNotFound
	}
	r.Response().Header().Set(echo.HeaderAllow, strings.Join(taken, ", "))
	return echo.ErrMethodNotAllowed
}

// serving has another handler answer.
func serving(h http.Handler) func(*request) error {
	return func(r *request) error {
		h.ServeHTTP(r.Response(), r.Request())
		return nil
	}
}
