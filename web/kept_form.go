package web

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/gorilla/securecookie"
	"github.com/labstack/echo/v4"

	"stockroom/store"
)

// KeptForm is a form that could not be handled when it was submitted, for example because
// the session had ended. The sign-in page contains the kept form in a hidden field. After
// sign-in, the form is submitted again, or shown for review. The server does not store it.
type KeptForm struct {
	User       string           // the user who signed in from this browser last; "" if unknown
	Permission store.Permission // the permission of the route
	Path       string           // where the form was submitted
	Values     url.Values
	Order      []string // names of the fields in the order of the form
}

const (
	keptFormMaxAge = 60 * 60  // maximum age in seconds
	maxKeptForm    = 16 << 10 // maximum size in bytes; the signed and encoded form is shorter than maxBody
)

// Messages of the sign-in page about the submitted form.
const (
	reasonForm    = "Your session has ended. Sign in to send what you entered."
	reasonTooLong = "Your session has ended and nothing was saved. The form is too long to keep here: go back to copy your text, then sign in."
	reasonFiles   = "Your session has ended and no file was uploaded. Sign in, then choose the files again."
)

// errSessionEnded is the error for a script's request without a session. The script shows
// the message.
var errSessionEnded = echo.NewHTTPError(http.StatusUnauthorized, "Your session has ended. Sign in again.")

// keptForms signs the kept forms. Without the signature, an attacker could make the
// sign-in page submit a forged form.
type keptForms struct{ codecs []securecookie.Codec }

func newKeptForms(config Config) *keptForms {
	k := &keptForms{}
	for _, key := range config.Keys {
		codec := securecookie.New(deriveKey(key, "form"), nil)
		k.codecs = append(k.codecs, codec.SetSerializer(securecookie.NopEncoder{}).MaxAge(keptFormMaxAge).MaxLength(maxBody))
	}
	return k
}

// KeepForm returns the submitted form as signed text, or "" if it cannot be kept. The
// result reason is the message for the sign-in page. Of card numbers, KeepForm keeps only
// the last four digits; see store.MaskedField.
func (t *Tools) KeepForm(c echo.Context, permission store.Permission) (kept, reason string, err error) {
	r := c.Request()
	if kind, _, _ := mime.ParseMediaType(r.Header.Get(echo.HeaderContentType)); kind != echo.MIMEApplicationForm {
		return "", reasonFiles, nil
	}
	order, err := parseInOrder(r)
	if err != nil {
		var tooLarge *http.MaxBytesError
		if errors.As(err, &tooLarge) {
			return "", reasonTooLong, nil
		}
		return "", "", bodyError(err)
	}
	entered := url.Values(maps.Clone(r.PostForm))
	for name := range entered {
		if masked := store.MaskedField(name, entered.Get); masked != entered.Get(name) {
			r.PostForm.Set(name, masked)
		}
	}
	user := ""
	if _, users := t.device(c); len(users) > 0 {
		user = users[0]
	}
	text := strings.Join([]string{user, string(permission), r.URL.RequestURI(), strings.Join(order, "&"), r.PostForm.Encode()}, "\n")
	if len(text) > maxKeptForm {
		return "", reasonTooLong, nil
	}
	kept, err = securecookie.EncodeMulti("form", []byte(text), t.keptForms.codecs...)
	return kept, reasonForm, err
}

// parseInOrder parses the form of a request. It returns the names of the fields in the
// order of the form. If the form was parsed before, it returns no names.
func parseInOrder(r *http.Request) (names []string, err error) {
	var body bytes.Buffer
	if r.PostForm == nil {
		r.Body = io.NopCloser(io.TeeReader(r.Body, &body))
	}
	if err := r.ParseForm(); err != nil {
		return nil, err
	}
	for pair := range strings.SplitSeq(body.String(), "&") {
		name, _, _ := strings.Cut(pair, "=")
		if name, err := url.QueryUnescape(name); err == nil && formFieldName.MatchString(name) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names, nil
}

// formFieldName matches names of the program's own form fields.
var formFieldName = regexp.MustCompile(`^[a-z0-9.-]+$`)

// ReadKeptForm decodes a kept form. It returns nil if the form is older than an hour or
// was not signed by this program.
func (t *Tools) ReadKeptForm(kept string) *KeptForm {
	var text []byte
	if securecookie.DecodeMulti("form", kept, &text, t.keptForms.codecs...) != nil {
		return nil
	}
	parts := strings.SplitN(string(text), "\n", 5)
	if len(parts) < 5 {
		return nil
	}
	values, err := url.ParseQuery(parts[4])
	if err != nil {
		return nil
	}
	return &KeptForm{User: parts[0], Permission: store.Permission(parts[1]), Path: LocalPath(parts[2]), Values: values, Order: strings.Split(parts[3], "&")}
}

// requireSignIn answers a request without a session. Programs and scripts get a 401 error.
// A request for a page is redirected to the sign-in page. A submitted form gets the sign-in
// page, which keeps the form if KeepForm can keep it. Two kinds of forms are redirected to
// the sign-in page and never kept: forms of routes with the permission SignedIn, some of
// which contain passwords, and forms of pages that showed the site as someone else.
func (t *Tools) requireSignIn(c echo.Context, permission store.Permission) error {
	r := c.Request()
	switch {
	case FormatOf(c) != HTML:
		c.Response().Header().Set(echo.HeaderWWWAuthenticate, "Bearer")
		return echo.NewHTTPError(http.StatusUnauthorized, "Sign in first, or send an access token.")
	case IsScript(r):
		return errSessionEnded
	case r.Method == http.MethodGet || r.Method == http.MethodHead:
		return Redirect(c, signInPath+"?next="+url.QueryEscape(r.URL.RequestURI()))
	case t.hasViewCookie(c):
		t.EndViewAs(c)
		return Redirect(c, signInPath)
	case permission == store.SignedIn: // some forms of these routes contain passwords
		return Redirect(c, signInPath)
	}
	kept, reason, err := t.KeepForm(c, permission)
	if err != nil {
		return err
	}
	return t.RenderStatus(c, http.StatusUnauthorized, t.config.SignIn(c, kept, reason))
}

// IsScript reports whether a script made the request. If so, the browser does not show the
// response as a new page.
func IsScript(r *http.Request) bool {
	return r.Header.Get("HX-Request") != "" || r.Header.Get("Sec-Fetch-Dest") == "empty"
}
