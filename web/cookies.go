package web

import (
	"net/http"
	"slices"

	"github.com/gorilla/securecookie"
	"github.com/labstack/echo/v4"
)

// The cookies besides the session's.
const (
	themeCookie = "theme"
	flashCookie = "flash"
)

// Life of those cookies, in seconds.
const (
	themeSeconds = 365 * 24 * 60 * 60
	flashSeconds = 60
)

// themes are the choices that people have; "" is the device's own.
var themes = []string{"", "light", "dark"}

// Theme is the theme that was chosen.
func Theme(c echo.Context) string {
	cookie, err := c.Cookie(themeCookie)
	if err != nil || !slices.Contains(themes, cookie.Value) {
		return ""
	}
	return cookie.Value
}

// SetTheme keeps a choice; what is none is the device's own.
func (t *Tools) SetTheme(c echo.Context, theme string) {
	if !slices.Contains(themes, theme) {
		theme = ""
	}
	c.SetCookie(t.cookie(themeCookie, theme, themeSeconds))
}

// flashes are messages that the next page shows once. They are signed: a
// page says only what the program said.
type flashes struct{ codecs []securecookie.Codec }

func newFlashes(config Config) *flashes {
	f := &flashes{}
	for _, key := range config.Keys {
		f.codecs = append(f.codecs, newCodec(key, "flash", flashSeconds))
	}
	return f
}

// SetFlash has the next page say that something was done.
func (t *Tools) SetFlash(c echo.Context, message string) error {
	value, err := securecookie.EncodeMulti(flashCookie, []byte(message), t.flashes.codecs...)
	if err != nil {
		return err
	}
	c.SetCookie(t.cookie(flashCookie, value, flashSeconds))
	return nil
}

// Flash is what the page before had to say; it is said once.
func (t *Tools) Flash(c echo.Context) string {
	cookie, err := c.Cookie(flashCookie)
	if err != nil || cookie.Value == "" {
		return ""
	}
	c.SetCookie(t.cookie(flashCookie, "", -1))
	var message []byte
	if securecookie.DecodeMulti(flashCookie, cookie.Value, &message, t.flashes.codecs...) != nil {
		return ""
	}
	return string(message)
}

func (t *Tools) cookie(name, value string, seconds int) *http.Cookie {
	return &http.Cookie{
		Name: name, Value: value, Path: "/", MaxAge: seconds,
		HttpOnly: true, Secure: t.config.TLS, SameSite: http.SameSiteLaxMode,
	}
}
