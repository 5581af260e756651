package handlers

import (
	"time"

	"github.com/labstack/echo/v4"

	"stockroom/handlers/metrics"
	"stockroom/web"
)

// observer returns a function that counts a response and the reads of its page, or
// nil without metrics.
func observer(m *metrics.Metrics) func(echo.Context, time.Duration) {
	if m == nil {
		return nil
	}
	return func(c echo.Context, took time.Duration) {
		m.Request(c.Request().Method, c.Path(), c.Response().Status, took)
		m.Reads(web.SessionReads(c))
		if r, ok := c.Get(contextRequest).(*request); ok {
			m.Reads(r.settingsTrace.Reads())
			m.Reads(r.trace.Reads())
		}
	}
}
