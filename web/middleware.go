package web

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/labstack/echo/v4"
)

// logRequests logs one line per request. It logs the route instead of the URL,
// because a URL can contain a name or an email address. The line of a sign-in attempt
// contains the user name that LogAccount set.
func (t *Tools) logRequests(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		start := time.Now()
		if err := next(c); err != nil {
			c.Error(err)
		}
		if t.config.Observe != nil {
			t.config.Observe(c, time.Since(start))
		}
		if !t.config.Log.Enabled(c.Request().Context(), slog.LevelInfo) {
			return nil
		}
		user := ""
		if u := SignedInUser(c); u != nil {
			user = u.Name
		}
		attributes := []slog.Attr{slog.String("method", c.Request().Method), slog.String("route", c.Path())}
		if format := FormatOf(c); format != HTML {
			attributes = append(attributes, slog.String("format", string(format)))
		}
		attributes = append(attributes, slog.Int("status", c.Response().Status), slog.Duration("took", time.Since(start)),
			slog.String("user", user), slog.String("from", clientOf(c)))
		if token := AccessToken(c); token != nil {
			attributes = append(attributes, slog.String("token", token.ID)) // the ID of a token is not secret
		}
		if account, ok := c.Get(contextAccount).(string); ok {
			attributes = append(attributes, slog.String("account", account))
		}
		t.config.Log.LogAttrs(c.Request().Context(), slog.LevelInfo, "request", attributes...)
		return nil
	}
}

// LogAccount adds the user name of a sign-in attempt to the request log. Pass only names of
// existing users, because users sometimes enter a password as their name by mistake.
func LogAccount(c echo.Context, name string) { c.Set(contextAccount, name) }

// recoverPanics turns a panic into an error, so that the server continues.
func recoverPanics(next echo.HandlerFunc) echo.HandlerFunc {
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

// maxBody limits the body of a form without files, in bytes. The forms of the program are
// much smaller.
const maxBody = 64 << 10

// limitBody limits the size of a request's body. If the body was not read to its end
// before the response, it closes the connection.
func (t *Tools) limitBody(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r, limit := c.Request(), int64(maxBody)
		if size, found := t.config.Uploads[c.Path()]; found {
			limit = size + formSize
		}
		body := &trackedBody{ReadCloser: r.Body}
		if r.ContentLength != 0 {
			c.Response().Before(func() {
				if !body.ended {
					closeConnection(c.Response().Header())
				}
			})
		}
		if r.ContentLength > limit {
			// Do not fail here. Reading the body fails later, when the session is known,
			// so the error page has the user's menu.
			r.Body = oversizedBody{r.Body, limit}
			return next(c)
		}
		// Pass the ResponseWriter of net/http, because MaxBytesReader cannot close the
		// connection through echo's.
		r.Body = http.MaxBytesReader(c.Response().Writer, body, limit)
		return next(c)
	}
}

// trackedBody records whether a request body was read to its end.
type trackedBody struct {
	io.ReadCloser
	ended bool
}

func (b *trackedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.ended = b.ended || err == io.EOF
	return n, err
}

// closeConnection makes net/http close the connection after a response to a request whose
// body was not read. Otherwise net/http would wait for the rest of a small body before it
// responds.
func closeConnection(header http.Header) { header.Set("Connection", "close") }

// oversizedBody replaces a request body that is too large. Reading it returns an error
// immediately.
type oversizedBody struct {
	io.Closer
	limit int64
}

func (b oversizedBody) Read([]byte) (int, error) { return 0, &http.MaxBytesError{Limit: b.limit} }

func (t *Tools) setSecurityHeaders(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		t.headers.set(c.Response().Header())
		return next(c)
	}
}
