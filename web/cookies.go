package web

import (
	"net/http"
	"slices"
	"strings"

	"github.com/gorilla/securecookie"
	"github.com/labstack/echo/v4"

	"stockroom/store"
)

// Names of the cookies for the theme and for flashes, which are messages that are shown
// once. Other files define the names of further cookies.
const (
	themeCookie = "theme"
	flashCookie = "flash"
)

// Maximum ages of these cookies, in seconds.
const (
	themeMaxAge = 365 * 24 * 60 * 60
	flashMaxAge = 60
)

// themes lists the values of the theme cookie. An empty value follows the setting of the
// device.
var themes = []string{"", "light", "dark"}

// Theme returns the theme that the browser's cookie selects.
func (t *Tools) Theme(c echo.Context) string {
	cookie, err := t.readCookie(c, themeCookie)
	if err != nil || !slices.Contains(themes, cookie.Value) {
		return ""
	}
	return cookie.Value
}

// SetTheme stores the theme in a cookie. It stores an unknown theme as "".
func (t *Tools) SetTheme(c echo.Context, theme string) {
	if !slices.Contains(themes, theme) {
		theme = ""
	}
	c.SetCookie(t.cookie(themeCookie, theme, themeMaxAge))
}

// flashes signs flashes: messages that the next page shows once. Without the signature,
// another site could make the pages of this site show its text.
type flashes struct{ codecs []securecookie.Codec }

func newFlashes(config Config) *flashes {
	f := &flashes{}
	for _, key := range config.Keys {
		f.codecs = append(f.codecs, newCodec(key, "flash", flashMaxAge))
	}
	return f
}

// maxFlash is the maximum length of a flash in bytes. A signed and encoded flash of this
// length is shorter than 4096 bytes, the size of a cookie that every browser stores. See
// https://datatracker.ietf.org/doc/html/rfc6265#section-6.1
const maxFlash = 2000

// MaxMessage is the maximum length of a message in bytes, so that a flash also has space for
// changes.
const MaxMessage = 1400

// flashEnd separates the message of a flash from the changes after it.
const flashEnd = "\x00"

// SetFlash sets the message that the next page shows. The message must have at most
// MaxMessage bytes; see views.ShortMessage. SetFlash also passes the changes of this request
// to that page, because the indexes may not show them yet.
func (t *Tools) SetFlash(c echo.Context, message string, changes *store.Changes) error {
	flash := message + flashEnd + changes.Encode(maxFlash-len(message)-len(flashEnd))
	value, err := securecookie.EncodeMulti(flashCookie, []byte(flash), t.flashes.codecs...)
	if err != nil {
		return err
	}
	c.SetCookie(t.cookie(flashCookie, value, flashMaxAge))
	return nil
}

// Flash returns the message set by SetFlash, or "". It deletes the cookie.
func (t *Tools) Flash(c echo.Context) string {
	if cookie, err := t.readCookie(c, flashCookie); err == nil && cookie.Value != "" {
		c.SetCookie(t.cookie(flashCookie, "", -1))
	}
	message, _, _ := strings.Cut(t.flash(c), flashEnd)
	return message
}

// FlashChanges returns the changes set by SetFlash, or nil if there is no flash.
func (t *Tools) FlashChanges(c echo.Context) *store.Changes {
	_, changes, found := strings.Cut(t.flash(c), flashEnd)
	if !found {
		return nil
	}
	return store.DecodeChanges(changes)
}

// flash returns the content of a valid flash cookie, or "".
func (t *Tools) flash(c echo.Context) string {
	cookie, err := t.readCookie(c, flashCookie)
	if err != nil || cookie.Value == "" {
		return ""
	}
	var flash []byte
	if securecookie.DecodeMulti(flashCookie, cookie.Value, &flash, t.flashes.codecs...) != nil {
		return ""
	}
	return string(flash)
}

// cookieName returns the name of a cookie. Over HTTPS, the name starts with __Host-:
// browsers then accept the cookie only over HTTPS and only from this host. See
// https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Set-Cookie#cookie_prefixes
func (t *Tools) cookieName(name string) string {
	if t.config.TLS {
		return "__Host-" + name
	}
	return name
}

func (t *Tools) readCookie(c echo.Context, name string) (*http.Cookie, error) {
	return findCookie(c.Request(), t.cookieName(name))
}

// findCookie is like r.Cookie, but allocates no memory if the request has no such cookie.
func findCookie(r *http.Request, name string) (*http.Cookie, error) {
	for _, line := range r.Header["Cookie"] {
		if strings.Contains(line, name) {
			return r.Cookie(name)
		}
	}
	return nil, http.ErrNoCookie
}

func (t *Tools) cookie(name, value string, maxAge int) *http.Cookie {
	return &http.Cookie{
		Name:     t.cookieName(name),
		Value:    value,
		Path:     "/",
		MaxAge:   maxAge,
		HttpOnly: true,
		Secure:   t.config.TLS,
		SameSite: http.SameSiteLaxMode,
	}
}
