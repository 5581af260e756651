package handlers

import (
	"time"

	"github.com/labstack/echo/v4"

	"stockroom/handlers/metrics"
	"stockroom/store"
	"stockroom/web"
)

// observer returns a function that counts the costs of a request. If m is not nil, the
// function also adds the response, its reads and its session to m.
func observer(s *store.Store, m *metrics.Metrics) func(echo.Context, time.Duration) {
	count := countCosts(s)
	if m == nil {
		return count
	}
	return func(c echo.Context, took time.Duration) {
		count(c, took)
		m.Request(c.Request().Method, c.Path(), c.Response().Status, took)
		m.Reads(web.SessionReads(c))
		if session := web.Session(c); session != nil {
			m.Session(session.Hash)
		}
		if r, ok := c.Get(contextRequest).(*request); ok {
			m.Reads(r.settingsTrace.Reads())
			m.Reads(r.trace.Reads())
		}
	}
}
