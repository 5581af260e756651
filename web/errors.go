package web

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"

	"github.com/labstack/echo/v4"

	"stockroom/store"
)

// handleError is the one place where an error becomes an answer. What a
// person reads is the sentence that was made for them; what was not made for
// them is in the log, under a reference.
func (t *Tools) handleError(err error, c echo.Context) {
	if c.Response().Committed {
		// Half of it has left. The connection is cut, so that nobody takes that
		// for the whole.
		if c.Request().Context().Err() == nil { // else whoever asked has gone
			t.log(c, "an answer broke off", err, newReference())
		}
		panic(http.ErrAbortHandler)
	}
	if errors.Is(err, context.Canceled) && c.Request().Context().Err() != nil {
		_ = c.NoContent(statusGone) // for the log of requests: nobody reads it
		return
	}
	p := problemOf(err)
	if p.Status >= http.StatusInternalServerError {
		p.Reference = newReference()
		t.log(c, "a request failed", err, p.Reference)
	}
	if p.Status == http.StatusServiceUnavailable {
		c.Response().Header().Set("Retry-After", "2")
	}
	if err := t.answer(c, p); err != nil && !c.Response().Committed {
		// What failed is the page that says so. Without any page the answer
		// would be an empty 200.
		p.Reference = newReference()
		t.log(c, "an error page failed", err, p.Reference)
		http.Error(c.Response(), p.Message+" "+p.Reference, p.Status)
	}
}

// statusGone is logged where whoever asked left before the answer: no fault
// of the program, and nobody to tell.
const statusGone = 499

// LogFailure tells of a failure that did not keep the answer from being given.
func (t *Tools) LogFailure(c echo.Context, message string, err error) {
	t.log(c, message, err, newReference())
}

func (t *Tools) log(c echo.Context, message string, err error, reference string) {
	t.config.Log.Error(message, slog.String("reference", reference), slog.String("method", c.Request().Method),
		slog.String("route", c.Path()), slog.Any("error", err))
}

func (t *Tools) answer(c echo.Context, p Problem) error {
	if c.Request().Method == http.MethodHead {
		return c.NoContent(p.Status)
	}
	if FormatOf(c) == HTML {
		return t.RenderStatus(c, p.Status, t.config.Problem(c, p))
	}
	c.Response().Header().Del("Content-Disposition")
	c.Response().Header().Set(echo.HeaderContentType, echo.MIMEApplicationJSON)
	c.Response().WriteHeader(p.Status)
	return json.NewEncoder(c.Response()).Encode(struct {
		Error     string `json:"error"`
		Reference string `json:"reference,omitempty"`
	}{p.Message, p.Reference})
}

// problemOf gives an error its status and its sentence.
func problemOf(err error) Problem {
	var known *store.Error
	if errors.As(err, &known) && known.Kind != store.Internal {
		return Problem{Status: statusOf(known.Kind), Message: known.Message}
	}
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return Problem{Status: http.StatusRequestEntityTooLarge, Message: sentences[http.StatusRequestEntityTooLarge]}
	}
	var answered *echo.HTTPError
	if errors.As(err, &answered) && answered.Code < http.StatusInternalServerError {
		message, ours := answered.Message.(string)
		if !ours || answered.Internal != nil || message == http.StatusText(answered.Code) {
			message = sentences[answered.Code]
		}
		if message == "" {
			message = "This request cannot be answered."
		}
		return Problem{Status: answered.Code, Message: message}
	}
	return Problem{Status: http.StatusInternalServerError, Message: "This did not work, and it is not your fault. Nothing was changed."}
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

// sentences say what a bare status means.
var sentences = map[int]string{
	http.StatusNotFound:              "There is no page at this address.",
	http.StatusMethodNotAllowed:      "This address does not take that kind of request.",
	http.StatusRequestEntityTooLarge: "This is more than a form may send.",
	http.StatusUnsupportedMediaType:  "This address takes forms only.",
	http.StatusForbidden:             "Your role does not include this page.",
}

func newReference() string {
	random := make([]byte, 5)
	_, _ = rand.Read(random) // crypto/rand ends the program rather than fail
	return hex.EncodeToString(random)
}
