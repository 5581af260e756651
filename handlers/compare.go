package handlers

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

// compareParams are the parameters of a comparison: the path of the record's page, and two
// dates with or without a time. If the second date is missing, the comparison is with the
// current state.
var compareParams = []string{"of", "from", "to"}

// compareStates shows what changed in a record between two moments.
func compareStates(r *request) error {
	values := r.QueryParams()
	if len(values) == 0 && !r.wantsFile() {
		return web.Redirect(r.Context, "/search") // the user can search for a record there
	}
	for name, all := range values {
		if !slices.Contains(compareParams, name) || len(all) > 1 {
			return badRequest("Use only the parameters \"of\", \"from\" and \"to\", and each only once.")
		}
	}
	path := values.Get("of")
	page, ids, ok := pastPageOf(path)
	if !ok {
		return badRequest("Open a record and choose Compare in its menu. Lists can't be compared.")
	}
	row := r.site.rowOf(http.MethodGet, page.path)
	if !r.user.May(row.permission) {
		return web.Forbidden(row.permission)
	}
	from, to, ask := r.moments(values.Get("from"), values.Get("to"))
	switch {
	case ask != nil && r.wantsFile():
		return badRequest(strings.TrimSpace(ask.From.Error + " " + ask.To.Error))
	case ask != nil:
		ask.Page, ask.Path = r.page("Compare states"), path
		return r.site.tools.RenderStatus(r.Context, http.StatusBadRequest, views.CompareMomentsPage(*ask))
	}
	before, err := page.read(r, ids, from)
	if err != nil {
		return err
	}
	after, err := page.read(r, ids, to)
	if err != nil {
		return err
	}
	p := r.page("")
	p.Menu = r.site.menus.of(r.user.Role, sectionOf(page.path))
	earlier, later := before.view(&p), after.view(&p)
	earlier.Past, later.Past = before.past, after.past
	c := views.NewComparison(&p, earlier, later, values.Get("to") == "")
	if r.wantsFile() {
		return web.SendJSON(r.Context, compareJSON{
			Of: later.Path, From: before.json(), To: after.json(), Changes: c.Changes, Events: c.Events, AllEvents: !before.past.Later.Hidden && !before.past.Later.Part,
		})
	}
	return r.show(views.ComparePage(c))
}

// compareJSON describes what changed in a record between two moments.
type compareJSON struct {
	Of        string // path of the record's page
	From, To  pastJSON
	Changes   []views.Change // changed values, as on the page
	Events    []store.Event  // newest first
	AllEvents bool           // false if there may be more events, or if the user may not see them
}

// moments parses the two moments of a comparison. If one is invalid or they are in the
// wrong order, ask is the page with the errors. Otherwise, ask is nil.
func (r *request) moments(first, second string) (from, to time.Time, ask *views.CompareMoments) {
	from, problem := r.moment(first)
	to = r.site.store.Now()
	otherProblem := ""
	if second != "" {
		to, otherProblem = r.moment(second)
	}
	if problem == "" && otherProblem == "" && from.After(to) {
		problem = "Enter a date before the later date."
	}
	if problem == "" && otherProblem == "" {
		return from, to, nil
	}
	return from, to, &views.CompareMoments{From: ui.Input{Value: first, Error: problem}, To: ui.Input{Value: second, Error: otherProblem}}
}
