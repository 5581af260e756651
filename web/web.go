// Package web contains the parts of the HTTP server that do not depend on the
// business: sessions and sign-in, permissions of routes, forms, list queries and
// cursors, rendering, file downloads and errors.
package web

import (
	"cmp"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/gorilla/securecookie"
	"github.com/labstack/echo/v4"

	"stockroom/store"
)

// Config configures Tools.
type Config struct {
	Store *store.Store
	Log   *slog.Logger
	Keys  [][]byte // keys that sign cookies and cursors: the first key signs, and all keys verify

	// TLS means that users reach the site over HTTPS, through a reverse proxy. Cookies
	// then have the attribute Secure, and responses the HSTS header.
	TLS bool

	// PublicURL is the URL at which users open the site; nil accepts any host.
	PublicURL *url.URL

	// SingleSignOn configures sign-in with an identity provider. It needs PublicURL. If it
	// is nil, users sign in with passwords and passkeys only.
	SingleSignOn *SingleSignOn

	// TrustedProxies lists the networks of trusted proxies. The client's address is the
	// last address in X-Forwarded-For that is outside these networks.
	TrustedProxies []netip.Prefix

	// RequestTimeout limits how long a request may take. If it is 0,
	// DefaultRequestTimeout applies.
	RequestTimeout time.Duration

	// Uploads maps each route that accepts files to the maximum size of all files in a
	// form, in bytes.
	Uploads map[string]int64

	// Observe is called after each response with the duration of the request. It may be
	// nil.
	Observe func(c echo.Context, took time.Duration)

	// SignIn renders the sign-in page for a form that was submitted without a session. The
	// argument kept is the signed form, or "" if it cannot be kept; see KeptForm. The
	// argument reason is the message for the user.
	SignIn func(c echo.Context, kept, reason string) templ.Component

	// Problem renders an error page.
	Problem func(c echo.Context, p Problem) templ.Component
}

// Problem describes an error to the user.
type Problem struct {
	Status    int    // HTTP status
	Message   string // one or two sentences
	Code      string // code of a store.Error; "" for other errors and for errors without a code
	Reference string // identifies the log entry; "" if there is no entry
}

// Tools holds the HTTP tools of one server.
type Tools struct {
	config   Config
	headers  securityHeaders
	sessions *sessionStore
	cursors  *cursors
	formKeys [][]byte // keys for form tokens
	devices  *devices
	flashes  *flashes

	keptForms *keptForms
	views     []securecookie.Codec // codecs of the cookie of StartViewAs
	passkeys  []securecookie.Codec // codecs of PasskeyRequest.State
	steps     []securecookie.Codec // codecs of the results of SignStep and SignSecret
	signOns   []securecookie.Codec // codecs of the cookie of StartSignOn
	drafts    []securecookie.Codec // codecs of the cookie of SaveDraft
	provider  *provider            // nil without single sign-on
}

// New makes the tools of one server.
func New(config Config) *Tools {
	config.RequestTimeout = cmp.Or(config.RequestTimeout, DefaultRequestTimeout)
	return &Tools{
		config:   config,
		headers:  newSecurityHeaders(config.TLS),
		sessions: newSessionStore(config),
		cursors:  newCursors(config.Keys),
		formKeys: formTokenKeys(config.Keys),
		devices:  newDevices(config),
		flashes:  newFlashes(config),

		keptForms: newKeptForms(config),
		views:     viewAsCodecs(config.Keys),
		passkeys:  passkeyCodecs(config.Keys),
		steps:     stepCodecs(config.Keys),
		signOns:   signOnCodecs(config.Keys),
		drafts:    draftCodecs(config.Keys),
		provider:  newProvider(config.SingleSignOn),
	}
}

// Router returns a router with the middleware that every request needs. Before routing, the
// router removes the suffix of the format (.json, .csv) from the path. Only negotiate and
// limitTime run before the logging. They return no errors of their own.
func (t *Tools) Router() *echo.Echo {
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	e.HTTPErrorHandler = t.handleError
	e.IPExtractor = clientAddress(t.config.TrustedProxies)
	e.Pre(negotiate)
	e.Use(t.middleware())
	return e
}

// middleware returns the middleware of all routes as one function, because Echo would
// otherwise combine it again for each request, which allocates memory. Middleware that is
// added later with Use does not run.
func (t *Tools) middleware() echo.MiddlewareFunc {
	route := func(c echo.Context) error { return c.Handler()(c) }
	all := t.limitTime(t.logRequests(recoverPanics(t.setSecurityHeaders(t.limitBody(route)))))
	return func(echo.HandlerFunc) echo.HandlerFunc { return all }
}

// clientAddress returns a function that determines the client's address: from
// X-Forwarded-For if there are trusted proxies, otherwise from the connection.
func clientAddress(trusted []netip.Prefix) echo.IPExtractor {
	if len(trusted) == 0 {
		return echo.ExtractIPDirect()
	}
	options := []echo.TrustOption{echo.TrustLoopback(false), echo.TrustLinkLocal(false), echo.TrustPrivateNet(false)}
	for _, p := range trusted {
		ip := p.Masked().Addr()
		options = append(options, echo.TrustIPRange(&net.IPNet{IP: ip.AsSlice(), Mask: net.CIDRMask(p.Bits(), ip.BitLen())}))
	}
	return echo.ExtractIPFromXFFHeader(options...)
}

// Protect rejects cross-site requests with an unsafe method, such as POST. It checks the
// headers Sec-Fetch-Site and Origin (see [http.CrossOriginProtection]).
//
// If Config.PublicURL is set, Protect also rejects requests for another host, except health
// checks. This prevents DNS rebinding: an attacker's website points its DNS name to this
// server, so that its scripts can use the server. Protect wraps the whole router.
func (t *Tools) Protect(next http.Handler) http.Handler {
	protection := http.NewCrossOriginProtection()
	protection.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// The origin and the host show whether a proxy has changed the Host header
		// of a legitimate request.
		t.config.Log.Warn("cross-site request refused", slog.String("method", r.Method),
			slog.String("origin", shorten(r.Header.Get("Origin"))), slog.String("host", shorten(r.Host)))
		t.refuse(w, r)
		http.Error(w, "This request came from another site and was refused.", http.StatusForbidden)
	}))
	protected := protection.Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(r.Host) > maxHost {
			t.refuse(w, r)
			http.Error(w, "The host name of this request is too long.", http.StatusBadRequest)
			return
		}
		if !t.isOwnHost(r) {
			t.config.Log.Warn("request for another host refused", slog.String("method", r.Method), slog.String("host", shorten(r.Host)))
			t.refuse(w, r)
			http.Error(w, "You opened this site at a wrong address. Ask an admin for the right one.", http.StatusMisdirectedRequest)
			return
		}
		protected.ServeHTTP(w, r)
	})
}

// refuse sets the headers of a response to a request whose body is not read.
func (t *Tools) refuse(w http.ResponseWriter, r *http.Request) {
	t.headers.set(w.Header())
	if r.ContentLength != 0 {
		closeConnection(w.Header())
	}
}

// probes are the paths of health checks. They accept any host, because a health check
// may know only the server's IP address.
var probes = []string{"/healthz", "/readyz"}

// isOwnHost reports whether the request is for the host of the public URL, or for a
// health check.
func (t *Tools) isOwnHost(r *http.Request) bool {
	if t.config.PublicURL == nil || slices.Contains(probes, r.URL.Path) {
		return true
	}
	port := ":80"
	if t.config.PublicURL.Scheme == "https" {
		port = ":443"
	}
	own := strings.TrimSuffix(t.config.PublicURL.Host, port)
	return strings.EqualFold(strings.TrimSuffix(r.Host, port), own)
}

// maxHost is the maximum length of the Host header, in bytes: that of the longest domain
// name with a port. See https://datatracker.ietf.org/doc/html/rfc1035#section-2.3.4
const maxHost = 255 + len(":65535")

// shorten returns at most maxHost bytes of a header for the log. Card numbers are masked.
func shorten(header string) string {
	return store.MaskCardNumbers(strings.ToValidUTF8(header[:min(len(header), maxHost)], ""))
}

// Limits of a connection. Browsers send their headers immediately. A client that sends
// them slowly may be an attacker who wants to keep many connections open.
const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 15 * time.Second
	writeTimeout      = 30 * time.Second
	idleTimeout       = 2 * time.Minute
	maxHeader         = 32 << 10 // bytes
)

// NewServer makes an HTTP server with all timeouts set.
func NewServer(handler http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: readHeaderTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
}
