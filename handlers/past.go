package handlers

import (
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

// pastPage is the page of a record that can also show an earlier state of the record.
type pastPage struct {
	path string // path of the page's route
	read func(r *request, ids []string, at time.Time) (*pastRecord, error)
}

// pastRecord is a record at an earlier moment.
type pastRecord struct {
	past    store.Past
	state   any                                  // state for JSON, with only the known fields
	certain any                                  // part of the state that is always known, such as the quantity of stock; nil for none
	view    func(p *views.Page) views.PastRecord // returns the state for the page; call it after all reads
}

// pastPages lists the pages that can show an earlier state.
func pastPages() []pastPage {
	return []pastPage{
		{"/orders/:id", readPastOrder},
		{"/invoices/:id", readPastInvoice},
		{"/products/:id", readPastProduct},
		{"/products/:id/stock/:warehouse", readPastStock},
		{"/warehouses/:id", readPastWarehouse},
		{"/customers/:id", readPastCustomer},
		{"/accounts/:id", readPastAccount},
		{"/accounts/:id/subscriptions", readPastAccount},
		{"/kayaks/:id", readPastKayak},
		{"/admin/users/:id", readPastUser},
	}
}

// orPast returns a handler that shows an earlier state of a record if the query string
// contains the parameter "at". Otherwise, it calls present.
func orPast(present func(*request) error) func(*request) error {
	return func(r *request) error {
		if !r.QueryParams().Has("at") {
			return present(r)
		}
		return showPast(r)
	}
}

// showPast shows a record at an earlier moment.
func showPast(r *request) error {
	values := r.QueryParams()
	if len(values) > 1 || len(values["at"]) > 1 {
		return badRequest("Use only the parameter \"at\", and only once.")
	}
	path := r.Request().URL.EscapedPath()
	page, ids, ok := pastPageOf(path)
	if !ok {
		return badRequest("Only the page of a record can show an earlier state, not its lists.")
	}
	at, problem := r.moment(values.Get("at"))
	switch {
	case problem != "" && r.wantsFile():
		return badRequest(problem)
	case problem != "":
		field := ui.Input{Value: values.Get("at"), Error: problem}
		return r.site.tools.RenderStatus(r.Context, http.StatusBadRequest, views.PastMomentPage(views.PastMoment{Page: r.page("Earlier state"), Path: path, At: field}))
	}
	found, err := page.read(r, ids, at)
	if err != nil {
		return err
	}
	if r.wantsFile() {
		return web.SendJSON(r.Context, found.json())
	}
	p := r.page("")
	record := found.view(&p)
	record.Past = found.past
	p.Title = record.Heading
	return r.show(views.PastPage(views.PastState{Page: p, Record: record}))
}

// pastJSON describes an earlier state. State is nil if the state is not known. If the
// history begins after At, Earliest is the earliest known state.
type pastJSON struct {
	At    time.Time
	Known bool
	Gap   store.PastGap `json:",omitempty"`
	Since time.Time     `json:",omitzero"`
	State any           `json:",omitempty"`

	Earliest any `json:",omitempty"`
	Certain  any `json:",omitempty"` // part of the state that is known even if Known is false
}

func (f *pastRecord) json() pastJSON {
	out := pastJSON{At: f.past.At, Known: f.past.IsKnown(), Gap: f.past.Gap}
	if out.Gap != store.PastComplete {
		out.Since = f.past.Since
	}
	switch {
	case out.Known:
		out.State = f.state
	case out.Gap != store.PastNotAdded:
		out.Certain = f.certain
	}
	if out.Gap == store.PastBegins {
		out.Earliest = f.state
	}
	return out
}

// pastPageOf returns the pastPage at an escaped path, and the IDs in the path. It ignores
// the extension .json.
func pastPageOf(path string) (page pastPage, ids []string, ok bool) {
	parts := strings.Split(strings.TrimSuffix(path, ".json"), "/")
	for _, page := range pastPages() {
		if ids, ok := views.PathIDs(strings.Split(page.path, "/"), parts); ok {
			return page, ids, true
		}
	}
	return pastPage{}, nil, false
}

// momentLayouts are the accepted formats of a moment. Times without a zone are in the time
// zone of the business. A time without seconds means the end of the minute, and a day means
// the end of the day.
var momentLayouts = []struct {
	layout  string
	minutes int // length of the period that the input names, in minutes or days; both are 0 for an exact time
	days    int
}{
	{"2006-01-02T15:04", 1, 0},
	{"2006-01-02 15:04", 1, 0},
	{"2006-01-02T15:04:05", 0, 0},
	{"2006-01-02 15:04:05", 0, 0},
	{time.RFC3339, 0, 0},
	{time.DateOnly, 0, 1},
}

// moment parses a moment. The result problem is the error message if the input is not a
// moment, or if the moment is in the future or before 1970.
func (r *request) moment(text string) (at time.Time, problem string) {
	zone, now := r.settings.Zone(), r.site.store.Now()
	for _, l := range momentLayouts {
		at, err := time.ParseInLocation(l.layout, strings.TrimSpace(text), zone)
		if err != nil {
			continue
		}
		end := at.AddDate(0, 0, l.days).Add(time.Duration(l.minutes) * time.Minute)
		switch {
		case !end.After(at):
		case end.Before(now):
			at = end.Add(-time.Nanosecond)
		case at.Before(now):
			at = now // the input is the current minute or today
		}
		switch {
		case at.After(now):
			return at, "This date is in the future. Enter an earlier date and time."
		case at.Before(store.FirstPast):
			return at, "Enter a date from 1970 on."
		}
		return at, ""
	}
	return at, "Enter a date and time such as 2026-11-03T10:00, or a day such as 2026-11-03."
}

func badRequest(message string) error { return echo.NewHTTPError(http.StatusBadRequest, message) }
