package handlers

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

// request is one HTTP request with the values that its handler needs: the store for
// this user, the settings, and the traces for the page footer.
type request struct {
	echo.Context
	site          *site
	route         *route
	user          *store.User // nil if nobody is signed in
	shop          store.Access
	settings      store.Settings
	trace         *store.Trace   // reads of the page
	settingsTrace *store.Trace   // reads of session and settings, which the footer shows separately
	related       store.Related  // records that the page refers to
	changes       *store.Changes // the items that the request wrote, for the page after a redirect
}

// contextRequest is the key of the request in echo's context.
const contextRequest = "request"

// serve adapts a route's handler to echo. It reads the settings first, with a
// separate trace, so that they do not count as reads of the page.
func (s *site) serve(row *route) echo.HandlerFunc {
	return func(c echo.Context) error {
		user := web.User(c)
		r := &request{Context: c, site: s, route: row, user: user, shop: s.store.As(user), trace: &store.Trace{}, settingsTrace: &store.Trace{}, changes: &store.Changes{}}
		if web.IsViewing(c) {
			r.shop = s.store.Viewing(user)
		}
		c.Set(contextRequest, r)
		ctx := store.RecordChanges(c.Request().Context(), r.changes)
		if row.method == http.MethodGet {
			if earlier := s.tools.FlashChanges(c); earlier != nil {
				ctx = store.ReadAfter(ctx, earlier)
			}
		}
		c.SetRequest(c.Request().WithContext(ctx))
		if row.permission != store.Anyone {
			var err error
			if r.settings, err = s.store.Settings(store.WithTrace(ctx, r.settingsTrace)); err != nil {
				return err
			}
		}
		if r.wantsFile() {
			return row.handle(r) // a file can take a thousand reads and has no footer
		}
		r.trace.KeepItems = row.isDetail() && user.May(store.Administer)
		c.SetRequest(c.Request().WithContext(store.WithTrace(ctx, r.trace)))
		return row.handle(r)
	}
}

func (r *request) ctx() context.Context { return r.Request().Context() }

// now returns the current time in the time zone of the business.
func (r *request) now() time.Time { return r.site.store.Now().In(r.settings.Zone()) }

// wantsFile reports whether the response is JSON or CSV.
func (r *request) wantsFile() bool { return web.FormatOf(r.Context) != web.HTML }

// id returns the ID in the path.
func (r *request) id() string { return r.param("id") }

// param returns a path parameter.
func (r *request) param(name string) string { return pathParam(r.Context, name) }

// pathParam returns an unescaped path parameter. The router leaves it escaped
// if the path contains an optional escape, such as %2F in an ID with a slash.
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

// page returns the common parts of a page, with the reads so far.
func (r *request) page(title string) views.Page {
	p := r.site.frame(r.Context, title)
	p.Flash = r.site.tools.Flash(r.Context)
	p.Record = r.route.record()
	p.Related = r.related
	p.Zone, p.Currency, p.Now = r.settings.Zone(), r.settings.Currency, r.site.store.Now()
	return p
}

func (r *request) show(page templ.Component) error { return r.site.tools.Render(r.Context, page) }

// redirectWithFlash redirects to a page that shows the message. That page also
// shows the changes of this request, even if indexes lag.
func (r *request) redirectWithFlash(message, path string) error {
	if err := r.site.tools.SetFlash(r.Context, message, r.changes); err != nil {
		return err
	}
	return web.Redirect(r.Context, path)
}

// frame returns the menu, theme and reads of a page. Error pages have them too.
func (s *site) frame(c echo.Context, title string) views.Page {
	p := views.Page{Title: title, User: web.User(c), Viewing: web.IsViewing(c), Theme: views.Theme(web.Theme(c)), SessionReads: web.SessionReads(c)}
	section, found := "", store.SavedViews{}
	if r, ok := c.Get(contextRequest).(*request); ok {
		section = sectionOf(r.route.path)
		found = r.savedViews()
		p.Reads, p.Items = r.trace.Reads(), r.trace.Items()
		p.SessionReads = append(p.SessionReads, r.settingsTrace.Reads()...)
	}
	if p.User != nil {
		p.Menu = s.withSaved(s.menus[menuKey{p.User.Role, section}], p.User, found)
	}
	return p
}

// problem returns an error page. For NotFound, its search box contains the ID from
// the path.
func (s *site) problem(c echo.Context, p web.Problem) templ.Component {
	page := s.frame(c, http.StatusText(p.Status))
	page.Items = nil
	if p.Status == http.StatusNotFound {
		page.Query = pathParam(c, "id")
	}
	view := views.Problem{Page: page, Status: p.Status, Message: p.Message, Code: p.Code, Reference: p.Reference}
	if p.Status == http.StatusForbidden {
		view.NotePath = s.notePath(c)
	}
	return views.ProblemPage(view)
}

// notePath returns the path of the form that adds a note to the record of a page. It
// returns "" if the record has no notes or the user may not write them.
func (s *site) notePath(c echo.Context) string {
	before, _, found := strings.Cut(c.Path(), "/:id")
	_, hasNotes := s.names[http.MethodGet+" "+before+"/:id/notes"]
	if !found || !hasNotes || !web.User(c).May(store.WriteNotes) {
		return ""
	}
	return before + "/" + ui.Segment(pathParam(c, "id")) + "/notes"
}
