package handlers

import (
	"time"

	"github.com/labstack/echo/v4"

	"stockroom/store"
	"stockroom/web"
)

// contextSpending is the key of the *spending in the echo context.
const contextSpending = "spending"

// spending is the cost of a request, and the page to which it belongs.
type spending struct {
	store.Spending
	source string
}

// spend returns middleware that collects the costs of a request. It must run before the
// middleware that reads the session, so that this read is included.
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

// countCosts returns a function that counts the costs of a request. Call the returned
// function after the response, because the role and the reads of an error page are not
// known earlier.
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
