package web

import (
	"net/http"
	"slices"

	"github.com/gorilla/securecookie"
	"github.com/labstack/echo/v4"
)

// Names of the cookies other than the session's.
const (
	themeCookie = "theme"
	flashCookie = "flash"
)

// Maximum ages of the cookies, in seconds.
const (
	themeMaxAge = 365 * 24 * 60 * 60
	flashMaxAge = 60
)

// themes lists the themes; "" follows the device.
var themes = []string{"", "light", "dark"}

// Theme returns the theme that the browser's cookie selects.
func Theme(c echo.Context) string {
	cookie, err := c.Cookie(themeCookie)
	if err != nil || !slices.Contains(themes, cookie.Value) {
		return ""
	}
	return cookie.Value
}

// SetTheme stores the theme in a cookie; an unknown one becomes "".
func (t *Tools) SetTheme(c echo.Context, theme string) {
	if !slices.Contains(themes, theme) {
		theme = ""
	}
	c.SetCookie(t.cookie(themeCookie, theme, themeMaxAge))
}

// flashes signs messages that the next page shows once. The signature keeps
// others from putting text on a page.
type flashes struct{ codecs []securecookie.Codec }

func newFlashes(config Config) *flashes {
	f := &flashes{}
	for _, key := range config.Keys {
		f.codecs = append(f.codecs, newCodec(key, "flash", flashMaxAge))
	}
	return f
}

// SetFlash sets the message that the next page shows.
func (t *Tools) SetFlash(c echo.Context, message string) error {
	value, err := securecookie.EncodeMulti(flashCookie, []byte(message), t.flashes.codecs...)
	if err != nil {
		return err
	}
	c.SetCookie(t.cookie(flashCookie, value, flashMaxAge))
	return nil
}

// Flash returns the message set by SetFlash and deletes it, or returns "".
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

func (t *Tools) cookie(name, value string, maxAge int) *http.Cookie {
	return &http.Cookie{
		Name:     name,
		Value:    value,
		Path:     "/",
		MaxAge:   maxAge,
		HttpOnly: true,
		Secure:   t.config.TLS,
		SameSite: http.SameSiteLaxMode,
	}
}
