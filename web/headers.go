package web

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

// contentPolicy allows content of this site only: no inline scripts or styles,
// no framing, no forms that post elsewhere. See
// https://cheatsheetseries.owasp.org/cheatsheets/Content_Security_Policy_Cheat_Sheet.html
const contentPolicy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; font-src 'self'; " +
	"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// permissionsPolicy denies the features of browsers that no page uses.
const permissionsPolicy = "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()"

// securityHeaders are sent with every response, after
// https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Headers_Cheat_Sheet.html
// All responses share the slices: to change a header, replace its slice.
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

// Origin returns the scheme and host that the browser uses for this site. Use it
// for links outside of pages, such as printed QR codes.
func (t *Tools) Origin(c echo.Context) string {
	if t.config.TLS {
		return "https://" + c.Request().Host
	}
	return "http://" + c.Request().Host
}
