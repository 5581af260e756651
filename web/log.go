package web

import (
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/labstack/echo/v4"
)

// logged writes a line for each request: the route it took, never its
// address, which may hold a name or an e-mail address that was searched for.
func (t *Tools) logged(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		began := time.Now()
		err := next(c)
		if err != nil {
			c.Error(err)
		}
		if !t.config.Log.Enabled(c.Request().Context(), slog.LevelInfo) {
			return nil
		}
		user := ""
		if u := User(c); u != nil {
			user = u.Name
		}
		t.config.Log.LogAttrs(c.Request().Context(), slog.LevelInfo, "request",
			slog.String("method", c.Request().Method), slog.String("route", c.Path()),
			slog.Int("status", c.Response().Status), slog.Duration("took", time.Since(began)),
			slog.String("user", user), slog.String("from", c.RealIP()))
		return nil
	}
}

// recovered makes an error of a panic, so that one request fails and not the
// server.
func recovered(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) (err error) {
		defer func() {
			if r := recover(); r != nil {
				if r == http.ErrAbortHandler {
					panic(r)
				}
				err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
			}
		}()
		return next(c)
	}
}
