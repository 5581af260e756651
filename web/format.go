package web

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"stockroom/static"
)

// Format is the format of a response.
type Format string

// The formats. Every list and detail page is also available with the suffix
// .json, and every list with .csv. They share the route of the page, so they
// have the same rows, filters and permission.
const (
	HTML Format = ""
	JSON Format = "json"
	CSV  Format = "csv"
)

// negotiate removes the format's suffix from the path, before routing. It
// looks at the escaped path, because an ID that ends in a suffix has its dot
// escaped.
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

// FormatOf returns the requested format.
func FormatOf(c echo.Context) Format {
	format, _ := c.Get(contextFormat).(Format)
	return format
}

// Offer returns middleware that answers 404 to formats other than HTML and the
// given ones.
func Offer(formats ...Format) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			if f := FormatOf(c); f != HTML && !slices.Contains(formats, f) {
				return echo.NewHTTPError(http.StatusNotFound, "This page is not available in that format.")
			}
			return next(c)
		}
	}
}

// SendJSON answers with a value as JSON.
func SendJSON(c echo.Context, value any) error {
	body, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return send(c, http.StatusOK, echo.MIMEApplicationJSON, body)
}
