package web

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"
)

// Form is a form that was sent: those fields that the page asked for.
type Form struct{ values map[string][]string }

// Get is a field as typed; "" where it is absent.
func (f Form) Get(name string) string {
	if given := f.values[name]; len(given) > 0 {
		return given[0]
	}
	return ""
}

// All are the values of a field that may be given many times, such as the
// boxes that were ticked.
func (f Form) All(name string) []string { return f.values[name] }

// The fields that every form of a change may carry besides its own: the token
// that makes it count once, and the version of the thing that it was made for.
const (
	fieldOnce    = "once"
	fieldVersion = "version"
)

// Once is the form's token and, behind a dot, a digest of everything else that
// was typed, which tells a form that was sent twice from one that somebody went
// back to and corrected; "" where it has no token.
func (f Form) Once() string {
	token := f.Get(fieldOnce)
	if token == "" {
		return ""
	}
	typed := url.Values(maps.Clone(f.values))
	typed.Del(fieldOnce)
	sum := sha256.Sum256([]byte(typed.Encode()))
	return token + "." + hex.EncodeToString(sum[:8])
}

// Version is the version that the form was made for; 0 where it has none.
func (f Form) Version() int {
	n, _ := strconv.Atoi(f.Get(fieldVersion)) // ReadChange refused what is no number
	return n
}

// tokenShape is what a token looks like: what else arrives is not kept.
var tokenShape = regexp.MustCompile(`^[0-9A-HJKMNP-TV-Z]{26}$`)

// many follows the name of a field that may be given many times.
const many = "*"

// ReadChange is ReadForm for the form of a change, which has a token and a
// version besides.
func ReadChange(c echo.Context, fields ...string) (Form, error) {
	form, err := ReadForm(c, append([]string{fieldOnce, fieldVersion}, fields...)...)
	if err != nil {
		return Form{}, err
	}
	if token := form.Get(fieldOnce); token != "" && !tokenShape.MatchString(token) {
		return Form{}, echo.NewHTTPError(http.StatusBadRequest, "The form could not be read.")
	}
	if text := form.Get(fieldVersion); text != "" {
		if n, err := strconv.Atoi(text); err != nil || n < 0 {
			return Form{}, echo.NewHTTPError(http.StatusBadRequest, "The form could not be read.")
		}
	}
	return form, nil
}

// ReadForm reads a form that has these fields and no other, each once, or any
// number of times where its name ends in *. It fills nothing but a Form: what
// arrives cannot reach a field that no page shows.
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
	for name, given := range r.PostForm {
		repeats := slices.Contains(fields, name+many)
		if !repeats && !slices.Contains(fields, name) {
			return Form{}, echo.NewHTTPError(http.StatusBadRequest, fmt.Sprintf("This form has no field called %q.", name))
		}
		if len(given) > 1 && !repeats {
			return Form{}, echo.NewHTTPError(http.StatusBadRequest, fmt.Sprintf("The field %q is given twice.", name))
		}
	}
	return Form{values: r.PostForm}, nil
}
