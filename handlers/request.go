package handlers

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// request is what a handler reads from and answers through: the business as
// the user may see it, and what the page knows of its reader.
type request struct {
	echo.Context
	site     *site
	route    *route
	user     *store.User // nil where anyone may ask
	shop     store.Access
	settings store.Settings
	trace    *store.Trace // what the page asks of the table
	aside    *store.Trace // what it asks to know its own settings
}

// contextRequest is the name under which echo keeps a request's own part.
const contextRequest = "request"

// serve gives a row's handler its request. Settings are read before anything
// else, so that what they cost is no part of what the page asks.
func (s *site) serve(row *route) echo.HandlerFunc {
	return func(c echo.Context) error {
		user := web.User(c)
		r := &request{Context: c, site: s, route: row, user: user, shop: s.store.As(user), trace: &store.Trace{}, aside: &store.Trace{}}
		c.Set(contextRequest, r)
		ctx := c.Request().Context()
		if row.may != store.Anyone {
			var err error
			if r.settings, err = s.store.Settings(store.WithTrace(ctx, r.aside)); err != nil {
				return err
			}
		}
		if r.file() {
			return row.handle(r) // a file may ask a thousand times, which nobody would read
		}
		r.trace.KeepItems = row.ofOne() && user.May(store.Administer)
		c.SetRequest(c.Request().WithContext(store.WithTrace(ctx, r.trace)))
		return row.handle(r)
	}
}

func (r *request) ctx() context.Context { return r.Request().Context() }

// now is the time in the zone of the business.
func (r *request) now() time.Time { return r.site.store.Now().In(r.settings.Zone()) }

// file says that the answer is not for a person to look at.
func (r *request) file() bool { return web.FormatOf(r.Context) != web.HTML }

// id is the ID in the path.
func (r *request) id() string { return r.param("id") }

// param is a part of the path by its name in the route.
func (r *request) param(name string) string { return pathParam(r.Context, name) }

// pathParam is a part of the path. The router leaves it escaped where the path
// has an escape that is not needed, such as %2F in an ID that holds a slash.
func pathParam(c echo.Context, name string) string {
	value := c.Param(name)
	if c.Request().URL.RawPath == "" {
		return value
	}
	plain, err := url.PathUnescape(value)
	if err != nil {
		return value
	}
	return plain
}

// page is what every page carries, with what was read until now.
func (r *request) page(title string) views.Page {
	p := r.site.frame(r.Context, title)
	p.Flash = r.site.tools.Flash(r.Context)
	p.Zone, p.Currency, p.Now = r.settings.Zone(), r.settings.Currency, r.site.store.Now()
	return p
}

// show answers with a page.
func (r *request) show(page templ.Component) error { return r.site.tools.Render(r.Context, page) }

// done answers a change: the page to go on with says what was done.
func (r *request) done(message, path string) error {
	if err := r.site.tools.SetFlash(r.Context, message); err != nil {
		return err
	}
	return web.Redirect(r.Context, path)
}

// frame is what surrounds a page, whether or not it could be made.
func (s *site) frame(c echo.Context, title string) views.Page {
	p := views.Page{Title: title, User: web.User(c), Theme: views.Theme(web.Theme(c)), SessionReads: web.SessionReads(c)}
	section, found := "", store.Views{}
	if r, ok := c.Get(contextRequest).(*request); ok {
		section = sectionOf(r.route.path)
		found = r.savedViews()
		p.Reads, p.Items = r.trace.Reads(), r.trace.Items()
		p.SessionReads = append(p.SessionReads, r.aside.Reads()...)
	}
	if p.User != nil {
		p.Menu = s.withSaved(s.menus[marked{p.User.Role, section}], p.User, found)
	}
	return p
}

// problem is the page in place of one that cannot be shown. Where a thing is
// not found, its ID stands in the search box.
func (s *site) problem(c echo.Context, p web.Problem) templ.Component {
	page := s.frame(c, http.StatusText(p.Status))
	page.Items = nil
	if p.Status == http.StatusNotFound {
		page.Query = pathParam(c, "id")
	}
	return views.ProblemPage(views.Problem{Page: page, Status: p.Status, Message: p.Message, Reference: p.Reference})
}
