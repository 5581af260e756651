package web

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

// policy lets a page use what comes from here and nothing else: no inline
// script or style, no frame around it, no form that leads away.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; font-src 'self'; " +
	"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// secured sets the headers that browsers hold pages to.
func (t *Tools) secured(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		secure(c.Response().Header(), t.config.TLS)
		return next(c)
	}
}

func secure(h http.Header, tls bool) {
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	if tls {
		h.Set("Strict-Transport-Security", "max-age=31536000")
	}
}
