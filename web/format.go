package web

import (
	"encoding/json"
	"mime"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"stockroom/static"
)

// Format is the format of a response.
type Format string

// Every list and detail page is also available as JSON with the suffix .json, and every
// list as CSV with the suffix .csv. All formats share the route of the page, so they have
// the same rows, filters and permission.
const (
	HTML Format = ""
	JSON Format = "json"
	CSV  Format = "csv"
)

// negotiate removes the suffix of the format from the path before routing. An ID can also
// end in .json. The dot of such an ID is escaped in the path, so that negotiate does not
// take it for a suffix.
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

// SetFormat sets the format of a request that the program makes itself, without the
// router.
func SetFormat(c echo.Context, f Format) { c.Set(contextFormat, f) }

// Offer returns middleware for a route that is available as HTML and in the given
// formats. It returns 404 for other formats.
func Offer(formats ...Format) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			if f := FormatOf(c); f != HTML && !slices.Contains(formats, f) {
				return echo.NewHTTPError(http.StatusNotFound, "There is no "+strings.ToUpper(string(f))+" file at this address.")
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
	c.Set(contextFile, &SentFile{Rows: -1, Type: reflect.TypeOf(value)})
	return send(c, http.StatusOK, echo.MIMEApplicationJSON, body)
}

// SendInline answers with a file that the browser opens. The name is for users who save the
// file.
func SendInline(c echo.Context, name, contentType string, body []byte) error {
	c.Response().Header().Set(echo.HeaderContentDisposition, mime.FormatMediaType("inline", map[string]string{"filename": name}))
	c.Set(contextFile, &SentFile{Rows: -1})
	return c.Blob(http.StatusOK, contentType, body)
}

// SendFile answers with a file to save under a name. The argument rows is the number of its
// records.
func SendFile(c echo.Context, name, contentType string, body []byte, rows int) error {
	c.Response().Header().Set(echo.HeaderContentDisposition, mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	c.Set(contextFile, &SentFile{Name: name, Rows: rows})
	return send(c, http.StatusOK, contentType, body)
}
