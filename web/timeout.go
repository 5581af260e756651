package web

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"stockroom/store"
)

// DefaultRequestTimeout is the time limit of a request if Config sets none. Uploads and
// downloads have longer limits.
const DefaultRequestTimeout = 10 * time.Second

// maxConcurrent limits the table requests that one HTTP request makes at the same time.
const maxConcurrent = 16

// errTimeout is the cause of cancellation when a request reaches its time limit.
var errTimeout = errors.New("the request took too long")

// contextTimer is the key of the *requestTimer in the echo context.
const contextTimer = "timer"

// requestTimer cancels a request at its time limit.
type requestTimer struct {
	*time.Timer
	limit   time.Duration // Config.RequestTimeout
	address string        // address of the client
}

// limitTime cancels the context of a request after the time limit. This also cancels
// its table requests.
func (t *Tools) limitTime(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		ctx, cancel := context.WithCancelCause(c.Request().Context())
		defer cancel(nil)
		timer := time.AfterFunc(t.config.RequestTimeout, func() { cancel(errTimeout) })
		defer timer.Stop()
		address := c.RealIP()
		c.Set(contextTimer, &requestTimer{timer, t.config.RequestTimeout, address})
		c.SetRequest(c.Request().WithContext(store.WithAddress(store.WithLimit(ctx, maxConcurrent), address)))
		return next(c)
	}
}

// clientOf returns the address of the client, as c.RealIP determined it.
func clientOf(c echo.Context) string {
	if timer, ok := c.Get(contextTimer).(*requestTimer); ok {
		return timer.address
	}
	return c.RealIP()
}

// setTimeout restarts the request's time limit with the given duration, or with
// Config.RequestTimeout if that is longer.
func setTimeout(c echo.Context, timeout time.Duration) {
	if timer, ok := c.Get(contextTimer).(*requestTimer); ok {
		timer.Reset(max(timeout, timer.limit))
	}
}

// asTimeout returns a Busy error if the request has reached its time limit, otherwise
// err. It keeps errors that the time limit did not cause, such as Conflict, and the error
// of a request body that arrived too slowly, because the client caused it.
func asTimeout(c echo.Context, err error) error {
	if context.Cause(c.Request().Context()) != errTimeout {
		return err
	}
	if status := new(echo.HTTPError); errors.As(err, &status) && status.Code == http.StatusRequestTimeout {
		return err
	}
	switch store.KindOf(err) {
	case store.Internal, store.Busy, store.Unconfirmed:
	default:
		return err
	}
	return &store.Error{Kind: store.Busy, Message: timeoutMessage(c), Err: err}
}

// timeoutMessage says whether the request changed anything before its time limit.
func timeoutMessage(c echo.Context) string {
	if method := c.Request().Method; method == http.MethodGet || method == http.MethodHead {
		return "This took too long. Try again in a moment."
	}
	if changed, known := store.MayHaveChanged(c.Request().Context()); known && !changed {
		return "This took too long. Nothing was changed. Try again in a moment."
	}
	return "This took too long. Check whether your change was saved before trying again."
}
