package handlers

import (
	"net/http"

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

// nowhere answers for every path that no other row has.
func nowhere(*request) error { return echo.ErrNotFound }

// serving has another handler answer.
func serving(h http.Handler) func(*request) error {
	return func(r *request) error {
		h.ServeHTTP(r.Response(), r.Request())
		return nil
	}
}
