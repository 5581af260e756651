// Package handlers answers what arrives at the back office: each handler
// reads the request, asks the store on behalf of the user and hands the answer
// to a view. What there is, and who may open it, is the table in routes.go.
// No key, no tag and no rule of the business belongs here.
package handlers

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"

	"stockroom/static"
	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/web"
)

// Config is what the back office needs.
type Config struct {
	Store       *store.Store
	Jobs        *jobs.Runner
	Log         *slog.Logger
	SessionKeys [][]byte // sign cookies and cursors, the newest first; older ones still verify
	TLS         bool     // pages are reached by https, through a proxy on this machine
}

// New assembles the back office. It fails where there is no key to sign with.
func New(config Config) (http.Handler, error) {
	s, err := newSite(config)
	if err != nil {
		return nil, err
	}
	return s.tools.Protect(s.router), nil
}

// site is the back office: its routes and what their handlers share.
type site struct {
	store  *store.Store
	jobs   *jobs.Runner
	tools  *web.Tools
	router http.Handler
	rows   []route
	menus  menus
	names  map[string]routeName // the routes, by method and path
}

func newSite(config Config) (*site, error) {
	if len(config.SessionKeys) == 0 {
		return nil, errors.New("there is no key to sign cookies with")
	}
	assets, err := static.NewServer()
	if err != nil {
		return nil, fmt.Errorf("preparing what pages are dressed with: %w", err)
	}
	s := &site{store: config.Store, jobs: config.Jobs}
	s.tools = web.New(web.Config{
		Store: config.Store, Log: config.Log, Keys: config.SessionKeys, TLS: config.TLS,
		Uploads: []string{"/data/import"}, Problem: s.problem,
	})
	s.rows = routes(assets)
	s.menus, s.names = menusOf(s.rows), routeNames(s.rows)
	s.router = s.route(s.rows)
	return s, nil
}
