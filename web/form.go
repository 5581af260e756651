package web

import (
	"errors"
	"fmt"
	"mime"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"
)

// Form is a form that was sent: those fields that the page asked for.
type Form struct{ values map[string]string }

// Get is a field as typed; "" where it is absent.
func (f Form) Get(name string) string { return f.values[name] }

// ReadForm reads a form that has these fields and no other, each once. It
// fills nothing but a Form: what arrives cannot reach a field that no page
// shows.
func ReadForm(c echo.Context, fields ...string) (Form, error) {
	r := c.Request()
	kind, _, err := mime.ParseMediaType(r.Header.Get(echo.HeaderContentType))
	if err != nil || kind != echo.MIMEApplicationForm {
		return Form{}, echo.NewHTTPError(http.StatusUnsupportedMediaType, "This address takes forms only.")
	}
	if err := r.ParseForm(); err != nil {
		var tooLarge *http.MaxBytesError
		if errors.As(err, &tooLarge) {
			return Form{}, tooLarge
		}
		return Form{}, echo.NewHTTPError(http.StatusBadRequest, "The form could not be read.")
	}
	form := Form{values: make(map[string]string, len(fields))}
	for name, given := range r.PostForm {
		if !slices.Contains(fields, name) {
			return Form{}, echo.NewHTTPError(http.StatusBadRequest, fmt.Sprintf("This form has no field called %q.", name))
		}
		if len(given) > 1 {
			return Form{}, echo.NewHTTPError(http.StatusBadRequest, fmt.Sprintf("The field %q is given twice.", name))
		}
		form.values[name] = given[0]
	}
	return form, nil
}
