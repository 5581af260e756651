package web

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

// policy lets a page use what comes from here and nothing else: no inline
// script or style, no frame around it, no form that leads away.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; font-src 'self'; " +
	"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// protections are the headers that browsers hold pages to. Their values are
// made once and shared by all answers: whoever sets another replaces the
// slice and leaves this one as it is.
type protections map[string][]string

func newProtections(tls bool) protections {
	p := protections{
		"Content-Security-Policy":      {policy},
		"X-Content-Type-Options":       {"nosniff"},
		"Referrer-Policy":              {"same-origin"},
		"Cross-Origin-Opener-Policy":   {"same-origin"},
		"Cross-Origin-Resource-Policy": {"same-origin"},
		"Cache-Control":                {"no-store"},
	}
	if tls {
		p["Strict-Transport-Security"] = []string{"max-age=31536000"}
	}
	return p
}

func (p protections) set(h http.Header) {
	for name, values := range p {
		h[name] = values
	}
}

// secured protects every answer.
func (t *Tools) secured(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		t.protections.set(c.Response().Header())
		return next(c)
	}
}

// Origin is how the browser that asks addresses this site, for what leads here
// from outside of it, such as a printed code.
func (t *Tools) Origin(c echo.Context) string {
	if t.config.TLS {
		return "https://" + c.Request().Host
	}
	return "http://" + c.Request().Host
}
