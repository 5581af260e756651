package handlers

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

// request is an HTTP request, with the values that its handler needs, such as the settings
// and the user's access to the store.
type request struct {
	echo.Context
	site          *site
	route         *route
	user          *store.User // nil if nobody is signed in
	shop          store.Access
	settings      store.Settings
	trace         *store.Trace   // reads of the page, which the footer lists
	settingsTrace *store.Trace   // reads of the settings and the saved views, which the footer lists separately
	related       store.Related  // records whose names the page shows
	changes       *store.Changes // items that this request has written, so that the page after a redirect shows them
	keep          *keptContent   // gets the content of the page for the cache; nil if the content must not be cached
	captured      *capturedRows  // gets the rows of a list, which are then not sent; nil except for emails of lists
	next          string         // path of the page to open after sign-in; if "", it is in the query string
	earlier       *store.Changes // items that the request before a redirect has written, or nil
}

// contextRequest is the key of the request in echo's context.
const contextRequest = "request"

// serve returns the echo handler of a route. It prepares the request, asks for a proof of
// identity if the route requires one, calls the handler of the route, and records
// downloads.
func (s *site) serve(row *route) echo.HandlerFunc {
	return func(c echo.Context) error {
		user := web.User(c)
		var memory struct { // so that the parts of the request need only one allocation
			request              request
			trace, settingsTrace store.Trace
			changes              store.Changes
			bookings             store.ChangedBookings
			repeated             bool
		}
		r := &memory.request
		r.Context, r.site, r.route, r.user, r.shop = c, s, row, user, s.store.As(user)
		r.trace, r.settingsTrace, r.changes = &memory.trace, &memory.settingsTrace, &memory.changes
		if web.IsViewing(c) {
			r.shop = s.store.Viewing(user)
		}
		r.shop.Affected, r.shop.Repeated = &memory.bookings, &memory.repeated
		c.Set(contextRequest, r)
		ctx := store.RecordChanges(c.Request().Context(), r.changes)
		if row.method == http.MethodGet {
			if r.earlier = s.tools.FlashChanges(c); r.earlier != nil {
				ctx = store.ReadAfter(ctx, r.earlier)
			}
		}
		if row.permission != store.Anyone {
			var err error
			if r.settings, err = s.store.Settings(store.WithTrace(ctx, r.settingsTrace)); err != nil {
				return err
			}
		}
		if !r.wantsFile() { // files are not traced, because they have no footer and can need a thousand reads
			r.trace.KeepItems = row.isDetail() && user.May(store.Administer)
			ctx = store.WithTrace(ctx, r.trace)
		}
		c.SetRequest(c.Request().WithContext(ctx))
		if r.mustConfirm() {
			return r.askToConfirm()
		}
		stopped := true // remains true if the handler panics
		defer func() { r.recordDownload(stopped) }()
		err := row.handle(r)
		var add *addition
		var foreign *web.ForeignForm
		switch {
		case errors.As(err, &add):
			err = r.showAddition(add)
		case errors.As(err, &foreign):
			err = r.showForeignForm(foreign)
		case store.KindOf(err) == store.NotFound:
			if path := r.respelledPath(); path != "" {
				err = web.Redirect(c, path)
			}
		}
		stopped = err != nil
		return err
	}
}

func (r *request) ctx() context.Context { return r.Request().Context() }

// now returns the current time in the time zone of the business.
func (r *request) now() time.Time { return r.site.store.Now().In(r.settings.Zone()) }

// today returns the calendar day of the business, at midnight UTC.
func (r *request) today() time.Time {
	year, month, day := r.now().Date()
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// wantsFile reports whether the response is JSON or CSV.
func (r *request) wantsFile() bool { return web.FormatOf(r.Context) != web.HTML }

func (r *request) id() string { return r.param("id") }

func (r *request) param(name string) string { return pathParam(r.Context, name) }

// pathParam returns an unescaped path parameter. The router returns parameters escaped if
// any part of the path is escaped, such as the slash in an ID (%2F).
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

// respelledPath returns the address of the page with its IDs in capital letters, if the
// program may have created them in this spelling. It returns "" if no ID changes, and for
// files and forms.
func (r *request) respelledPath() string {
	if r.route.method != http.MethodGet || r.wantsFile() {
		return ""
	}
	changed := false
	path := withParams(r.route.path, func(name string) string {
		value := r.param(name)
		id := store.RespellID(value)
		changed = changed || id != value
		return id
	})
	if !changed {
		return ""
	}
	if query := r.Request().URL.RawQuery; query != "" {
		path += "?" + query
	}
	return path
}

// page returns what all pages except error pages show, including the reads so far. Call it
// after all reads.
func (r *request) page(title string) views.Page {
	p := r.site.frame(r.Context, title)
	p.Flash = r.site.tools.Flash(r.Context)
	if p.Written = r.changes.Cost(); p.Written.Transactions == 0 {
		p.Written = r.earlier.Cost()
	}
	p.Record = r.route.record()
	if r.keep != nil {
		r.keep.title, r.keep.tabs, p.Keep = title, p.Views, &r.keep.html
	}
	p.Related = r.related
	p.Zone, p.Currency, p.Now = r.settings.Zone(), r.settings.Currency, r.site.store.Now()
	return p
}

func (r *request) show(page templ.Component) error { return r.site.tools.Render(r.Context, page) }

// redirectWithFlash redirects to a page, which then shows the message, or the beginning of a
// long one. That page also shows the changes of this request, even if the indexes do not
// contain them yet.
func (r *request) redirectWithFlash(message, path string) error {
	if err := r.site.tools.SetFlash(r.Context, views.ShortMessage(message, web.MaxMessage), r.changes); err != nil {
		return err
	}
	return web.Redirect(r.Context, path)
}

// frame returns what all pages show, including error pages, such as the title, the menu,
// the saved views and the reads.
func (s *site) frame(c echo.Context, title string) views.Page {
	p := views.Page{Title: title, User: web.User(c), Viewing: web.IsViewing(c), Theme: views.Theme(s.tools.Theme(c)), SessionReads: web.SessionReads(c)}
	section, found := "", store.SavedViews{}
	if r, ok := c.Get(contextRequest).(*request); ok {
		section = sectionOf(r.route.path)
		found = r.savedViews()
		p.Reads, p.Items = r.trace.Reads(), r.trace.Items()
		p.SessionReads = append(p.SessionReads, r.settingsTrace.Reads()...)
	}
	if p.User != nil {
		p.Menu = s.menus.of(p.User.Role, section)
		p.Views = s.viewTabs(p.User, found)
	}
	return p
}

// problem returns an error page. If a record was not found, the search box of the page
// contains its ID.
func (s *site) problem(c echo.Context, p web.Problem) templ.Component {
	page := s.frame(c, "")
	page.Items = nil
	if p.Status == http.StatusNotFound {
		page.Query = pathParam(c, "id")
	}
	view := views.Problem{Page: page, Status: p.Status, Message: p.Message, Code: p.Code, Reference: p.Reference}
	view.Title = view.Heading()
	if p.Status == http.StatusForbidden && p.Code != views.CodeForeignForm {
		view.NotePath = s.notePath(c)
	}
	return views.ProblemPage(view)
}

// notePath returns the address of the form that adds a note to the record of the request.
// It returns "" if the record cannot have notes, or if the user may not add one.
func (s *site) notePath(c echo.Context) string {
	if !web.User(c).May(store.WriteNotes) {
		return ""
	}
	for path := c.Path(); path != ""; path = path[:strings.LastIndexByte(path, '/')] {
		if _, hasNotes := s.names[http.MethodGet+" "+path+"/notes"]; hasNotes {
			return withParams(path, func(name string) string { return pathParam(c, name) }) + "/notes" + s.rolesQuery(c)
		}
	}
	return ""
}

// withParams returns the path of a route with the values of its parameters.
func withParams(path string, value func(name string) string) string {
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		if name, isParam := strings.CutPrefix(segment, ":"); isParam {
			segments[i] = ui.Segment(value(name))
		}
	}
	return strings.Join(segments, "/")
}

// rolesQuery returns the query string of the form that adds a note. It selects the roles
// that may open the page of the request.
func (s *site) rolesQuery(c echo.Context) string {
	row := s.rowOf(c.Request().Method, c.Path())
	if row == nil {
		return ""
	}
	query := url.Values{}
	for _, role := range store.Roles {
		if (&store.User{Role: role}).May(row.permission) {
			query.Add(views.NoteRolesParam, string(role))
		}
	}
	return "?" + query.Encode()
}

// rowOf returns the route with a method and a path, or nil.
func (s *site) rowOf(method, path string) *route {
	i := slices.IndexFunc(s.rows, func(row route) bool { return row.method == method && row.path == path })
	if i < 0 {
		return nil
	}
	return &s.rows[i]
}
