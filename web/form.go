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
	"os"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"stockroom/store"
)

// Form holds the fields of a submitted form.
type Form struct{ values map[string][]string }

// Get returns a field as entered, or "" if it is missing.
func (f Form) Get(name string) string {
	if values := f.values[name]; len(values) > 0 {
		return values[0]
	}
	return ""
}

// With returns a copy of the form in which a field has this value.
func (f Form) With(name, value string) Form {
	values := maps.Clone(f.values)
	values[name] = []string{value}
	return Form{values: values}
}

// IsEmpty reports whether the form has no fields.
func (f Form) IsEmpty() bool { return len(f.values) == 0 }

// All returns all values of a field that can repeat, such as checkboxes with one name.
func (f Form) All(name string) []string { return f.values[name] }

// FieldToken and fieldVersion are the names of form fields. Every form that makes a change
// has a token. The token identifies the form, so that a form that is submitted twice is
// applied once. It is valid only in the session in which the form was opened. Forms that
// change an existing item also have a version: that of the item when the page showed the
// form.
const (
	FieldToken   = "once"
	fieldVersion = "version"
)

// FieldUnsent is the name of a field that marks a form that was not submitted yet. The user
// left this form to add a record, such as a customer, and has now come back. Handlers must
// not apply it.
const FieldUnsent = "unsent"

// TokenID returns the ULID of the form's token.
func (f Form) TokenID() string { return formID(f.Get(FieldToken)) }

// Token returns the ULID of the form's token, a dot and a digest of the other fields.
// When a form is submitted twice, equal digests show that the user did not change the
// values in between.
func (f Form) Token() string {
	values := url.Values(maps.Clone(f.values))
	values.Del(FieldToken)
	sum := sha256.Sum256([]byte(values.Encode()))
	return f.TokenID() + "." + hex.EncodeToString(sum[:8])
}

// Version returns the version in the form, or 0 if the form has none.
func (f Form) Version() int {
	n, _ := strconv.Atoi(f.Get(fieldVersion)) // 0 if the field is empty; ReadChange has rejected invalid numbers
	return n
}

// repeats is a suffix of field names that are passed to ReadForm. It means that the field
// can occur more than once.
const repeats = "*"

// Messages for forms that cannot be read. Forms of the program's own pages are never
// malformed.
const (
	messageBadForm = "The form could not be read. Reload the page and try again."
	messageSlow    = "The form arrived too slowly. Check your connection and try again."
	messageNoToken = "This form is incomplete. Reload the page and try again."
)

// ReadChange reads the form of a change with ReadForm, and checks its token and version. It
// returns a 400 error if the token is missing, because a repeated submission could not be
// recognized, or if the version is malformed. It returns a 403 error for a form from a page
// that showed the site as someone else. It returns ForeignForm if the token is not one of
// this session.
func (t *Tools) ReadChange(c echo.Context, fields ...string) (Form, error) {
	form, err := ReadForm(c, append([]string{FieldToken, fieldVersion, FieldUnsent}, fields...)...)
	if err != nil {
		return Form{}, err
	}
	return form, t.checkChange(c, form, fields)
}

// checkChange checks the token and the version; see ReadChange.
func (t *Tools) checkChange(c echo.Context, f Form, fields []string) error {
	switch token := f.Get(FieldToken); {
	case token == ViewingToken:
		return errViewEnded
	case token == "":
		return echo.NewHTTPError(http.StatusBadRequest, messageNoToken)
	}
	if text := f.Get(fieldVersion); text != "" {
		if n, err := strconv.Atoi(text); err != nil || n < 0 {
			return echo.NewHTTPError(http.StatusBadRequest, messageBadForm)
		}
	}
	if token := f.Get(FieldToken); !t.hasFormToken(c, token) {
		return &ForeignForm{SameUser: t.HasOpened(userOf(c), token) || !namesUser(token), Fields: fields}
	}
	return nil
}

// ReadForm reads a form with the given fields. A field can occur more than once if its name
// in fields ends in *. ReadForm returns an error with status 400 for a malformed form or an
// unknown or repeated field, 408 for a form that does not arrive in time, 413 for a form
// that is too large, and 415 for another content type.
func ReadForm(c echo.Context, fields ...string) (Form, error) {
	r := c.Request()
	kind, _, err := mime.ParseMediaType(r.Header.Get(echo.HeaderContentType))
	if err != nil || kind != echo.MIMEApplicationForm {
		return Form{}, echo.NewHTTPError(http.StatusUnsupportedMediaType, messages[http.StatusUnsupportedMediaType])
	}
	if err := r.ParseForm(); err != nil {
		return Form{}, bodyError(err)
	}
	for name, values := range r.PostForm {
		canRepeat := slices.Contains(fields, name+repeats)
		if !canRepeat && !slices.Contains(fields, name) {
			return Form{}, echo.NewHTTPError(http.StatusBadRequest, fmt.Sprintf("This form has no field called %s.", store.Quoted(name)))
		}
		if len(values) > 1 && !canRepeat {
			return Form{}, echo.NewHTTPError(http.StatusBadRequest, fmt.Sprintf("The field %s appears twice in this form.", store.Quoted(name)))
		}
	}
	return Form{values: r.PostForm}, nil
}

func bodyError(err error) error {
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return tooLarge
	case errors.Is(err, os.ErrDeadlineExceeded):
		return echo.NewHTTPError(http.StatusRequestTimeout, messageSlow)
	}
	return echo.NewHTTPError(http.StatusBadRequest, messageBadForm)
}
