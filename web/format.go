package web

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"stockroom/static"
)

// Format is the form in which an answer is wanted.
type Format string

// The formats. Every list and detail page has a twin at its own path with
// .json behind it, lists one with .csv too: the same rows under the same
// filters and the same permission, because they are the same route.
const (
	HTML Format = ""
	JSON Format = "json"
	CSV  Format = "csv"
)

// negotiate takes the suffix off the path before a route is looked for. An ID
// that ends in one has its dot escaped, so the path is looked at as it came.
func negotiate(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		u := c.Request().URL
		path := u.EscapedPath()
		for _, format := range []Format{JSON, CSV} {
			suffix := "." + string(format)
			if strings.HasSuffix(path, suffix) && !strings.HasPrefix(path, static.Prefix) {
				u.Path, u.RawPath = strings.TrimSuffix(u.Path, suffix), strings.TrimSuffix(u.RawPath, suffix)
				c.Set(contextFormat, format)
				break
			}
		}
		return next(c)
	}
}

// FormatOf is the form in which the request wants its answer.
func FormatOf(c echo.Context) Format {
	format, _ := c.Get(contextFormat).(Format)
	return format
}

// Offer refuses the formats that a route does not have.
func Offer(formats ...Format) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			wanted := FormatOf(c)
			for _, f := range formats {
				if f == wanted {
					return next(c)
				}
			}
			if wanted == HTML {
				return next(c)
			}
			return echo.NewHTTPError(http.StatusNotFound, "This page is not offered in that form.")
		}
	}
}

// SendJSON answers with one thing.
func SendJSON(c echo.Context, value any) error {
	body, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return send(c, http.StatusOK, echo.MIMEApplicationJSON, body)
}
