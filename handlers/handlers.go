// Package handlers contains the handlers of the pages. A handler parses the request,
// calls the store with the user's permissions and renders a view. The file routes.go
// lists all routes and their permissions.
package handlers

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/labstack/echo/v4"

	"stockroom/handlers/metrics"
	"stockroom/static"
	"stockroom/store"
	"stockroom/store/imports"
	"stockroom/store/jobs"
	"stockroom/web"
)

// Config configures the site.
type Config struct {
	Store       *store.Store
	Jobs        *jobs.Runner
	Imports     *imports.Runner // runs imports of uploaded files; close it after the server has stopped
	DataFile    DataFile        // the file of the embedded store, or nil
	Log         *slog.Logger
	SessionKeys [][]byte // keys that sign cookies and cursors: the first key signs, and all keys verify
	TLS         bool     // users reach the site over HTTPS, through a proxy

	// TrustedProxies lists the networks of trusted proxies; see web.Config.
	TrustedProxies []netip.Prefix

	// PublicURL is the URL at which users open the site. Requests with another host are
	// refused, except health checks. If PublicURL is nil, all hosts are accepted.
	PublicURL *url.URL

	// SingleSignOn configures sign-in with an identity provider. It requires PublicURL. If
	// SingleSignOn is nil, users sign in with passwords and passkeys only.
	SingleSignOn *web.SingleSignOn

	// SecurityContact is the URI in security.txt for reports of vulnerabilities. Without
	// it, there is no such file.
	SecurityContact string

	// RequestTimeout limits how long a request may take. If it is 0,
	// web.DefaultRequestTimeout applies.
	RequestTimeout time.Duration

	// Metrics counts the requests, sessions and reads. It may be nil.
	Metrics *metrics.Metrics
}

// New returns the handler of the whole site. It fails if there is no session key.
func New(config Config) (http.Handler, error) {
	s, err := newSite(config)
	if err != nil {
		return nil, err
	}
	return s.tools.Protect(s.router), nil
}

// site contains the routes, and the values that their handlers share.
type site struct {
	store   *store.Store
	log     *slog.Logger
	jobs    *jobs.Runner
	imports *imports.Runner
	tools   *web.Tools
	router  http.Handler
	echo    *echo.Echo
	rows    []route
	menus   menus

	dataFile DataFile                         // see Config
	parts    keptParts                        // cached parts of the page Today
	contents keptContents                     // cached contents of pages
	setUp    atomic.Pointer[store.SetUpSteps] // steps of setting up the business that were done at the last check
	contact  string                           // see Config.SecurityContact
	names    map[string]routeName             // names of the routes, by method and path
	signOn   *web.SingleSignOn                // see Config.SingleSignOn; may be nil
	hasURL   bool                             // Config.PublicURL is set
}

func newSite(config Config) (*site, error) {
	if len(config.SessionKeys) == 0 {
		return nil, errors.New("no session key")
	}
	assets, err := static.NewServer()
	if err != nil {
		return nil, fmt.Errorf("preparing static files: %w", err)
	}
	s := &site{store: config.Store, log: config.Log, jobs: config.Jobs, imports: config.Imports, dataFile: config.DataFile, contact: config.SecurityContact, signOn: config.SingleSignOn, hasURL: config.PublicURL != nil, parts: keptParts{parts: map[partKey]keptPart{}}}
	s.tools = web.New(web.Config{
		Store: config.Store, Log: config.Log, Keys: config.SessionKeys, TLS: config.TLS, TrustedProxies: config.TrustedProxies, PublicURL: config.PublicURL, SingleSignOn: config.SingleSignOn, RequestTimeout: config.RequestTimeout,
		Uploads: map[string]int64{"/data/import": imports.MaxSize, "/data/import/:id/columns": maxColumnsForm, "/data/import/:id/mapping": maxColumnsForm, logoPath: maxLogoForm}, Problem: s.problem, SignIn: s.signInAgain, Observe: observer(config.Store, config.Metrics),
	})
	s.rows = routes(assets)
	s.menus, s.names = menusOf(s.rows), routeNames(s.rows)
	s.echo = s.route(s.rows)
	s.router = s.echo
	return s, nil
}
