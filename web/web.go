// Package web has the HTTP tools that pages are served with: who is asking,
// what they may do, how a list's address is read, how an answer is written,
// what becomes of an error. It knows no order and no product.
package web

import (
	"log/slog"
	"net/http"
	"slices"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"stockroom/store"
)

// Config is what the tools need to know.
type Config struct {
	Store *store.Store
	Log   *slog.Logger
	Keys  [][]byte // sign cookies and cursors, the newest first; older ones still verify

	// TLS says that pages are reached by https, through a proxy on this machine:
	// cookies say Secure, browsers are told to insist, and the proxy says who
	// is asking. Without it nobody is believed who says to be somebody else.
	TLS bool

	// Uploads are the paths to which files may be sent.
	Uploads []string

	// Problem draws the page in place of one that cannot be shown.
	Problem func(c echo.Context, p Problem) templ.Component
}

// Problem is why a page cannot be shown.
type Problem struct {
	Status    int
	Message   string // a sentence for a person
	Reference string // by which the log tells more; "" where there is no more
}

// Tools are the HTTP tools of one server.
type Tools struct {
	config      Config
	protections protections
	sessions    *sessionStore
	cursors     *cursors
	limiter     *limiter
	flashes     *flashes
}

// New prepares the tools.
func New(config Config) *Tools {
	return &Tools{
		config:      config,
		protections: newProtections(config.TLS),
		sessions:    newSessionStore(config),
		cursors:     newCursors(config.Keys),
		limiter:     newLimiter(config.Store.Now),
		flashes:     newFlashes(config),
	}
}

// maxBody is the most that a form may send, in bytes: no form of the program
// comes near it.
const maxBody = 64 << 10

// Router makes a router with everything around it that every request goes
// through, in this order: the suffix of the path decides on the form of the
// answer before a route is looked for; what goes wrong behind the log is in
// the log.
func (t *Tools) Router() *echo.Echo {
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	e.HTTPErrorHandler = t.handleError
	e.IPExtractor = echo.ExtractIPDirect()
	if t.config.TLS {
		e.IPExtractor = echo.ExtractIPFromXFFHeader(echo.TrustLoopback(true), echo.TrustLinkLocal(false), echo.TrustPrivateNet(false))
	}
	e.Pre(negotiate)
	e.Use(t.logged, recovered, t.secured, t.limited)
	return e
}

// Protect refuses requests of other sites that change something. It stands
// before everything else.
func (t *Tools) Protect(next http.Handler) http.Handler {
	protection := http.NewCrossOriginProtection()
	protection.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// Both names tell an attack from a proxy that passes on another Host.
		t.config.Log.Warn("a request of another site was refused", slog.String("method", r.Method),
			slog.String("origin", r.Header.Get("Origin")), slog.String("host", r.Host))
		t.protections.set(w.Header())
		http.Error(w, "This request came from another site and was refused.", http.StatusForbidden)
	}))
	return protection.Handler(next)
}

// limited bounds what a request may send.
func (t *Tools) limited(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r, most := c.Request(), int64(maxBody)
		if slices.Contains(t.config.Uploads, c.Path()) {
			most = maxUpload
		}
		if r.ContentLength > most {
			return echo.NewHTTPError(http.StatusRequestEntityTooLarge)
		}
		// It closes the connection of a body too long, but knows only net/http's
		// own writer, not one around it.
		r.Body = http.MaxBytesReader(c.Response().Writer, r.Body, most)
		return next(c)
	}
}

// The limits of a connection. A browser sends its headers at once; whoever
// takes longer holds a connection open for nothing.
const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 15 * time.Second
	writeTimeout      = 30 * time.Second
	idleTimeout       = 2 * time.Minute
	maxHeader         = 32 << 10
)

// NewServer makes a server with every time-out set.
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
