package web

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"

	"github.com/labstack/echo/v4"

	"stockroom/store"
)

// handleError sends the response for an error. Users see Problem.Message. If the status is
// 500 or higher, they also see Problem.Reference, with which an admin can find the error in
// the log.
func (t *Tools) handleError(err error, c echo.Context) {
	err = asTimeout(c, err)
	if c.Response().Committed {
		// Part of the response was already sent. Close the connection, so that the client
		// notices that the rest is missing.
		if !clientClosed(c) {
			t.log(c, "response aborted", err, newReference())
		}
		panic(http.ErrAbortHandler)
	}
	if errors.Is(err, context.Canceled) && clientClosed(c) {
		_ = c.NoContent(statusClientClosed) // only sets the status in the request log
		return
	}
	p := problemOf(err)
	if p.Status >= http.StatusInternalServerError {
		p.Reference = newReference()
		t.log(c, "request failed", err, p.Reference)
	}
	if p.Status == http.StatusServiceUnavailable {
		c.Response().Header().Set("Retry-After", "2")
	}
	if err := t.writeProblem(c, p); err != nil && !c.Response().Committed {
		// The error page failed too. Send plain text, because an empty response would have
		// status 200.
		p.Reference = newReference()
		t.log(c, "error page failed", err, p.Reference)
		http.Error(c.Response(), p.Message+" "+p.Reference, p.Status)
	}
}

// statusClientClosed is the status in the request log if the client disconnected
// before the response. nginx also uses 499.
const statusClientClosed = 499

func clientClosed(c echo.Context) bool {
	ctx := c.Request().Context()
	return ctx.Err() != nil && context.Cause(ctx) != errTimeout
}

// LogFailure logs an error that does not prevent a response.
func (t *Tools) LogFailure(c echo.Context, message string, err error) {
	t.log(c, message, err, newReference())
}

func (t *Tools) log(c echo.Context, message string, err error, reference string) {
	t.config.Log.Error(message, slog.String("reference", reference), slog.String("method", c.Request().Method),
		slog.String("route", c.Path()), slog.Any("error", err))
}

func (t *Tools) writeProblem(c echo.Context, p Problem) error {
	if c.Request().Method == http.MethodHead {
		return c.NoContent(p.Status)
	}
	forScript := p.Status == http.StatusForbidden && IsScript(c.Request()) // the browser keeps the page, and a script shows the message
	if _, hasToken := bearerToken(c.Request()); FormatOf(c) == HTML && !hasToken && !forScript {
		page := t.config.Problem(c, p)
		// Render the page even after a timeout, which cancels the request's context.
		c.SetRequest(c.Request().WithContext(context.WithoutCancel(c.Request().Context())))
		return t.RenderStatus(c, p.Status, page)
	}
	c.Response().Header().Del("Content-Disposition")
	c.Response().Header().Set(echo.HeaderContentType, echo.MIMEApplicationJSON)
	c.Response().WriteHeader(p.Status)
	return json.NewEncoder(c.Response()).Encode(struct {
		Error     string `json:"error"`
		Reference string `json:"reference,omitempty"`
	}{p.Message, p.Reference})
}

func problemOf(err error) Problem {
	var storeError *store.Error
	if errors.As(err, &storeError) && storeError.Kind != store.Internal {
		return Problem{Status: statusOf(storeError.Kind), Message: storeError.Message, Code: storeError.Code}
	}
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		message := messages[http.StatusRequestEntityTooLarge]
		if size := tooLarge.Limit >> 20; size > 0 {
			message += fmt.Sprintf(" The limit is %d MB.", size)
		}
		return Problem{Status: http.StatusRequestEntityTooLarge, Message: message}
	}
	var httpError *echo.HTTPError
	if errors.As(err, &httpError) && httpError.Code < http.StatusInternalServerError {
		message, ok := httpError.Message.(string)
		if !ok || httpError.Internal != nil || message == http.StatusText(httpError.Code) {
			message = messages[httpError.Code] // the error text of echo is only for the log
		}
		return Problem{Status: httpError.Code, Message: cmp.Or(message, "This request can't be completed.")}
	}
	return Problem{Status: http.StatusInternalServerError, Message: messages[http.StatusInternalServerError]}
}

func statusOf(kind store.Kind) int {
	switch kind {
	case store.NotFound:
		return http.StatusNotFound
	case store.Forbidden:
		return http.StatusForbidden
	case store.Invalid:
		return http.StatusUnprocessableEntity
	case store.Conflict:
		return http.StatusConflict
	case store.Busy:
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

// messages maps HTTP statuses to messages, for errors that have no message for the user.
var messages = map[int]string{
	http.StatusForbidden:             "Your role can't open this page. Ask an admin.",
	http.StatusNotFound:              "There is no page at this address.",
	http.StatusMethodNotAllowed:      "This page can't be used in this way. Go back and use its form.",
	http.StatusRequestEntityTooLarge: "This form or its files are too large.",
	http.StatusUnsupportedMediaType:  "This page accepts forms only.",
	http.StatusInternalServerError:   "Something went wrong on our side. If you made a change, check whether it was saved before trying again.",
}

func newReference() string {
	random := make([]byte, 5)
	_, _ = rand.Read(random) // never fails
	return hex.EncodeToString(random)
}
