package web

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

// contentPolicy allows only content of this site. It forbids inline scripts and styles,
// frames, and forms that post to other sites. See
// https://cheatsheetseries.owasp.org/cheatsheets/Content_Security_Policy_Cheat_Sheet.html
const contentPolicy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; font-src 'self'; " +
	"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// permissionsPolicy disables browser features that no page uses. The camera is
// allowed, because count sheets can read barcodes with it.
const permissionsPolicy = "accelerometer=(), camera=(self), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()"

// securityHeaders are the headers of every response. All responses share the slices of
// values. To change a header of one response, replace its slice. The values follow
// https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Headers_Cheat_Sheet.html
type securityHeaders map[string][]string

func newSecurityHeaders(tls bool) securityHeaders {
	h := securityHeaders{
		"Content-Security-Policy":      {contentPolicy},
		"X-Content-Type-Options":       {"nosniff"},
		"Referrer-Policy":              {"same-origin"},
		"Cross-Origin-Opener-Policy":   {"same-origin"},
		"Cross-Origin-Resource-Policy": {"same-origin"},
		"Permissions-Policy":           {permissionsPolicy},
		"Cache-Control":                {"no-store"},
	}
	if tls {
		h["Strict-Transport-Security"] = []string{"max-age=31536000; includeSubDomains"}
	}
	return h
}

func (s securityHeaders) set(h http.Header) {
	for name, values := range s {
		h[name] = values
	}
}

// Origin returns the scheme and host under which browsers reach this site. Printed QR
// codes and other links outside the browser start with it.
func (t *Tools) Origin(c echo.Context) string {
	if origin := t.PublicOrigin(); origin != "" {
		return origin
	}
	if t.config.TLS {
		return "https://" + c.Request().Host
	}
	return "http://" + c.Request().Host
}

// PublicOrigin returns the scheme and host of Config.PublicURL, or "" if it is not
// set.
func (t *Tools) PublicOrigin() string {
	if t.config.PublicURL == nil {
		return ""
	}
	return t.config.PublicURL.Scheme + "://" + t.config.PublicURL.Host
}
