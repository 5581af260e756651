package handlers

import (
	"context"
	"time"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// listEvents lists the history of all records, optionally filtered by user, record or
// days.
func listEvents(r *request) error {
	q, err := r.query("from", "to", "by", "about")
	if err != nil {
		return err
	}
	// Events are stored by UTC day, so this filter ignores the time zone of the
	// business.
	f := store.EventFilter{By: q.Get("by"), About: q.Get("about"), Days: q.Days("from", "to", r.site.store.Now().In(time.UTC))}
	const oneFilter = "Use only one filter: user, record or dates."
	hasDays := q.Get("from") != "" || q.Get("to") != ""
	if f.By != "" && (f.About != "" || hasDays) {
		q.Fail("by", oneFilter)
	} else if f.About != "" && hasDays {
		q.Fail("about", oneFilter)
	}
	return respondList(r, q, listPage[store.Event]{
		file: "events", columns: eventColumns, newestFirst: true,
		fetch: func(ctx context.Context, p store.Page) (store.List[store.Event], error) {
			return r.shop.Events(ctx, f, p)
		},
		page: func(l views.List, rows []store.Event) templ.Component {
			return views.HistoryPage(views.History{
				Page: r.page("History"), List: l, From: queryInput(q, "from"), To: queryInput(q, "to"), By: queryInput(q, "by"), About: queryInput(q, "about"), Rows: rows,
			})
		},
	})
}

var eventColumns = []web.Column[store.Event]{
	{Name: "EventID", Cell: func(e store.Event) web.Cell { return web.Text(e.ID) }, Minor: true},
	{Name: "When", Cell: func(e store.Event) web.Cell { return instant(e.When) }},
	{Name: "By", Cell: func(e store.Event) web.Cell { return web.Text(e.By) }},
	{Name: "What", Cell: func(e store.Event) web.Cell { return web.Text(e.Sentence()) }},
	{Name: "About", Cell: func(e store.Event) web.Cell { return web.Text(e.Partition) }},
	{Name: "Before", Cell: func(e store.Event) web.Cell { return web.Text(store.MaskCardNumbers(e.Before)) }},
	{Name: "After", Cell: func(e store.Event) web.Cell { return web.Text(store.MaskCardNumbers(e.After)) }},
	{Name: "Address", Cell: func(e store.Event) web.Cell { return web.Text(e.Address) }, Minor: true},
	{Name: "ImportedBy", Cell: func(e store.Event) web.Cell { return web.Text(e.ImportedBy) }, Minor: true},
	{Name: "Why", Cell: func(e store.Event) web.Cell { return web.Text(store.MaskCardNumbers(e.Why)) }},
}
