package web

import (
	"errors"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"github.com/gorilla/securecookie"
	"github.com/labstack/echo/v4"

	"stockroom/store"
)

// KeptForm is a form that was sent after the session had ended. The sign-in page
// contains it, so that it can be sent after sign-in. The server does not store it.
type KeptForm struct {
	User       string           // who signed in last in this browser; "" if unknown
	Permission store.Permission // of the route
	Path       string           // where the form was sent to
	Values     url.Values
}

const (
	keptFormMaxAge = 60 * 60  // seconds
	maxKeptForm    = 16 << 10 // bytes; signed and encoded it fits into maxBody
)

// Reasons on the sign-in page.
const (
	reasonForm    = "Your session has ended. Sign in to send what you entered."
	reasonTooLong = "Your session has ended and nothing was saved. The form is too long to keep here: go back to copy your text, then sign in."
	reasonFiles   = "Your session has ended and no file was uploaded. Sign in, then choose the files again."
)

// errSessionEnded answers requests of scripts, which show the message.
var errSessionEnded = echo.NewHTTPError(http.StatusUnauthorized, "Your session has ended. Sign in again.")

// keptForms signs kept forms, so that nobody can make the sign-in page send a form of
// their own.
type keptForms struct{ codecs []securecookie.Codec }

func newKeptForms(config Config) *keptForms {
	k := &keptForms{}
	for _, key := range config.Keys {
		codec := securecookie.New(deriveKey(key, "form"), nil)
		k.codecs = append(k.codecs, codec.SetSerializer(securecookie.NopEncoder{}).MaxAge(keptFormMaxAge).MaxLength(maxBody))
	}
	return k
}

// keepForm returns the submitted form in a signed text, or why it cannot be kept. It
// masks card numbers.
func (t *Tools) keepForm(c echo.Context, permission store.Permission) (kept, reason string, err error) {
	r := c.Request()
	if kind, _, _ := mime.ParseMediaType(r.Header.Get(echo.HeaderContentType)); kind != echo.MIMEApplicationForm {
		return "", reasonFiles, nil
	}
	if err := r.ParseForm(); err != nil {
		var tooLarge *http.MaxBytesError
		if errors.As(err, &tooLarge) {
			return "", reasonTooLong, nil
		}
		return "", "", echo.NewHTTPError(http.StatusBadRequest, messageBadForm)
	}
	if card := r.PostForm.Get(store.FieldCard); card != "" {
		r.PostForm.Set(store.FieldCard, store.CardDigits(card))
	}
	user := ""
	if _, users := t.device(c); len(users) > 0 {
		user = users[0]
	}
	text := strings.Join([]string{user, string(permission), r.URL.RequestURI(), r.PostForm.Encode()}, "\n")
	if len(text) > maxKeptForm {
		return "", reasonTooLong, nil
	}
	kept, err = securecookie.EncodeMulti("form", []byte(text), t.keptForms.codecs...)
	return kept, reasonForm, err
}

// ReadKeptForm returns a kept form, or nil if it is older than an hour or was not
// signed by the program.
func (t *Tools) ReadKeptForm(kept string) *KeptForm {
	var text []byte
	if securecookie.DecodeMulti("form", kept, &text, t.keptForms.codecs...) != nil {
		return nil
	}
	parts := strings.SplitN(string(text), "\n", 4)
	if len(parts) < 4 {
		return nil
	}
	values, err := url.ParseQuery(parts[3])
	if err != nil {
		return nil
	}
	return &KeptForm{User: parts[0], Permission: store.Permission(parts[1]), Path: LocalPath(parts[2]), Values: values}
}

// requireSignIn answers a request without a session. It redirects a browser to the
// sign-in page. If the browser sent a form, it shows the sign-in page with that form,
// unless the form may be of a page that showed the site as someone else. Programs and scripts get 401.
func (t *Tools) requireSignIn(c echo.Context, permission store.Permission) error {
	r := c.Request()
	switch {
	case FormatOf(c) != HTML:
		return echo.NewHTTPError(http.StatusUnauthorized, "Sign in first.")
	case isScript(r):
		return errSessionEnded
	case r.Method == http.MethodGet || r.Method == http.MethodHead:
		return Redirect(c, signInPath+"?next="+url.QueryEscape(r.URL.RequestURI()))
	case hasViewCookie(c):
		t.EndViewAs(c)
		return Redirect(c, signInPath)
	case permission == store.SignedIn: // the account's own forms, which contain passwords
		return Redirect(c, signInPath)
	}
	kept, reason, err := t.keepForm(c, permission)
	if err != nil {
		return err
	}
	return t.RenderStatus(c, http.StatusUnauthorized, t.config.SignIn(c, kept, reason))
}

// isScript reports whether a script sent the request, so that no new page opens.
func isScript(r *http.Request) bool {
	return r.Header.Get("HX-Request") != "" || r.Header.Get("Sec-Fetch-Dest") == "empty"
}
