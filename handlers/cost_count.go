package handlers

import (
	"time"

	"github.com/labstack/echo/v4"

	"stockroom/store"
	"stockroom/web"
)

// contextSpending is the key of the spending in the echo context.
const contextSpending = "spending"

// spending contains the cost of a request and its page.
type spending struct {
	store.Spending
	source string
}

// spend returns middleware that collects what requests of a route cost. It must run
// before the session is read.
func spend(row *route) echo.MiddlewareFunc {
	source := store.SourceOfPage(row.method, row.path)
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			s := &spending{source: source}
			c.Set(contextSpending, s)
			r := c.Request()
			c.SetRequest(r.WithContext(store.WithSpending(r.Context(), &s.Spending)))
			return next(c)
		}
	}
}

// countCosts counts the costs of a request after the response. By then, the role is
// known, and an error page has been rendered.
func countCosts(s *store.Store) func(echo.Context, time.Duration) {
	return func(c echo.Context, _ time.Duration) {
		of, ok := c.Get(contextSpending).(*spending)
		if !ok {
			return
		}
		var role store.Role
		if user := web.User(c); user != nil {
			role = user.Role
		}
		s.EndSpending(&of.Spending, of.source, role)
	}
}
