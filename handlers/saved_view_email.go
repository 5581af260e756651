package handlers

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/labstack/echo/v4"

	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/views"
	"stockroom/web"
)

// Limits of the email of a saved view.
const (
	maxViewRows    = 20
	maxViewColumns = 6
	maxViewPages   = 4 // maximum number of pages that are read; the first ones may be empty
)

// ViewReader reads the lists of saved views for emails, with the role and the scope of the
// owner of the view.
type ViewReader struct {
	store *store.Store
	site  func() (*site, error)
}

// NewViewReader returns a ViewReader for a store.
func NewViewReader(s *store.Store) *ViewReader {
	return &ViewReader{s, sync.OnceValues(func() (*site, error) {
		key := make([]byte, 32)
		_, _ = rand.Read(key) // never fails
		idle := jobs.New(jobs.Config{Store: s, Processor: jobs.Record{}, Log: slog.New(slog.DiscardHandler)})
		return newSite(Config{Store: s, Jobs: idle, Log: slog.New(slog.DiscardHandler), SessionKeys: [][]byte{key}})
	})}
}

// IsEmpty reports whether the list at path has no rows for a user. It reads only the first
// pages. It returns Forbidden if the user may not open the list or if the list cannot be
// emailed, and Invalid if the path is wrong.
func (v *ViewReader) IsEmpty(ctx context.Context, user *store.User, path string) (bool, error) {
	read, err := v.read(ctx, user, path, 1)
	return err == nil && len(read.cells) == 0, err
}

// rows returns the content of the email of a saved view.
func (v *ViewReader) rows(ctx context.Context, e *store.Email) (*views.EmailedView, error) {
	view, user, err := v.store.EmailedView(ctx, e.User, e.View)
	if err != nil {
		return nil, err
	}
	read, err := v.read(ctx, user, view.Path, maxViewRows)
	if err != nil {
		return nil, err
	}
	settings, err := v.store.Settings(ctx)
	if err != nil {
		return nil, err
	}
	list := &views.EmailedView{Name: view.Name, Path: view.Path, More: read.more}
	for _, i := range read.columns() {
		list.Columns = append(list.Columns, views.ColumnWords(read.names[i]))
		list.Numbers = append(list.Numbers, read.hasNumbers(i))
		for n, cells := range read.cells {
			if len(list.Rows) <= n {
				list.Rows = append(list.Rows, nil)
			}
			list.Rows[n] = append(list.Rows[n], views.ViewCell(settings, cells[i].Value(), cells[i].IsMoney(), list.Numbers[len(list.Numbers)-1]))
		}
	}
	return list, nil
}

// hasNumbers reports whether all values of a column are whole numbers or amounts of money.
// It ignores empty cells, and returns false for IDs.
func (c *capturedRows) hasNumbers(i int) bool {
	return !strings.HasSuffix(c.names[i], "ID") && !slices.ContainsFunc(c.cells, func(cells []web.Cell) bool {
		_, err := strconv.Atoi(cells[i].Value())
		return err != nil && !cells[i].IsMoney() && cells[i].Value() != ""
	})
}

// columns returns the indexes of the columns for an email. It leaves out minor columns
// and columns without values. If more than maxViewColumns are left, it removes columns
// with IDs, the last ones first but never the first column, and then the last columns.
func (c *capturedRows) columns() (indexes []int) {
	for i := range c.names {
		if !c.minor[i] && slices.ContainsFunc(c.cells, func(cells []web.Cell) bool { return cells[i].Value() != "" }) {
			indexes = append(indexes, i)
		}
	}
	for n := len(indexes) - 1; n > 0 && len(indexes) > maxViewColumns; n-- {
		if strings.HasSuffix(c.names[indexes[n]], "ID") {
			indexes = slices.Delete(indexes, n, n+1)
		}
	}
	return indexes[:min(len(indexes), maxViewColumns)]
}

// capturedRows stores the first rows of a list that would otherwise be sent as a file.
type capturedRows struct {
	limit int
	pages int      // number of pages that may still be read
	names []string // of the columns
	minor []bool   // of the columns; see web.Column
	cells [][]web.Cell
	more  bool // the list may have more rows
}

// readsOn reports whether another page may be read after a page was read. Pass the
// position of the next page, or nil.
func (c *capturedRows) readsOn(next *store.Position) bool {
	c.pages--
	c.more = c.pages == 0 && next != nil
	return c.pages > 0
}

// read reads the first rows of a list as a user would see them, at most limit.
func (v *ViewReader) read(ctx context.Context, user *store.User, path string, limit int) (*capturedRows, error) {
	site, err := v.site()
	if err != nil {
		return nil, err
	}
	read := &capturedRows{limit: limit, pages: maxViewPages}
	return read, site.capture(ctx, user, path, read)
}

// checkViewRows returns Invalid if the list cannot be emailed to the user of the
// request. To find out, it reads the first row.
func (r *request) checkViewRows(path string) error {
	err := r.site.capture(r.ctx(), r.user, path, &capturedRows{limit: 1, pages: 1})
	var rejected *store.Error
	if errors.As(err, &rejected) && isUnreadable(err) {
		return store.InvalidField(store.FieldViewEmail, "This list can't be emailed. %s", rejected.Message)
	}
	return err
}

// isUnreadable reports whether err means that the list does not exist, that its address is
// wrong, or that the user may not open it.
func isUnreadable(err error) bool {
	kind := store.KindOf(err)
	return kind == store.Forbidden || kind == store.NotFound || kind == store.Invalid
}

// capture stores the first rows of a list in rows, as a user would see them. It returns
// Forbidden if the user may not open the list or if the list cannot be emailed, and
// Invalid if the address is wrong.
func (s *site) capture(ctx context.Context, user *store.User, path string, rows *capturedRows) error {
	u, err := url.ParseRequestURI(path)
	if err != nil {
		return store.InvalidField("path", "The address of the list is not valid.")
	}
	row := s.listRoute(u.Path)
	if row == nil || !isEmailed(row) || !user.May(row.permission) {
		return &store.Error{Kind: store.Forbidden, Message: "Either the user isn't allowed to open the list, or lists of this kind are never emailed."}
	}
	httpRequest, err := http.NewRequestWithContext(ctx, http.MethodGet, path, http.NoBody)
	if err != nil {
		return err
	}
	c := s.echo.NewContext(httpRequest, httptest.NewRecorder())
	s.echo.Router().Find(http.MethodGet, echo.GetPath(httpRequest), c)
	web.SetFormat(c, web.CSV)
	r := &request{
		Context: c, site: s, route: row, user: user, shop: s.store.As(user), trace: &store.Trace{}, settingsTrace: &store.Trace{},
		changes: &store.Changes{}, captured: rows,
	}
	if r.settings, err = s.store.Settings(ctx); err != nil {
		return err
	}
	err = row.handle(r)
	var refused *echo.HTTPError
	if errors.As(err, &refused) && refused.Code < http.StatusInternalServerError {
		return store.InvalidField("path", "%v", refused.Message)
	}
	return err
}

// isEmailed reports whether the list of a route can be emailed. Lists in sensitiveFiles
// cannot, because their files require a proof of identity. Lists about the system itself,
// such as jobs and users, cannot either.
func isEmailed(row *route) bool {
	return !sensitiveFiles[row.path] && !strings.HasPrefix(row.path, "/data/") && !strings.HasPrefix(row.path, "/jobs/") && !strings.HasPrefix(row.path, "/admin/")
}
