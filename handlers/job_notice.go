package handlers

import (
	"context"
	"time"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// showNotices lists the notices that a run would queue now. By default, it lists notices to
// renters. With the parameter "show", it lists notices to managers or emails of saved
// views.
func (r *request) showNotices(q *web.Query, day time.Time) error {
	refused, err := r.refusal(store.NoticesJob)
	if err != nil {
		return err
	}
	show := web.OneOf(q, "show", []string{views.ShowManagers, views.ShowViews})
	read := r.shop.NoticesToRenters
	switch show {
	case views.ShowManagers:
		read = r.shop.NoticesToManagers
	case views.ShowViews:
		read = r.shop.NoticesOfViews
	}
	rejectSort(q)
	return respondList(r, q, listPage[store.PlannedNotice]{
		file: "notices-dry-run", columns: noticeColumns,
		fetch: func(ctx context.Context, p store.Page) (store.List[store.PlannedNotice], error) {
			if day.Before(calendarOf(r.now())) { // a run for a past day queues nothing
				return store.List[store.PlannedNotice]{}, nil
			}
			return read(ctx, day, p)
		},
		page: func(l views.List, rows []store.PlannedNotice) templ.Component {
			return views.NoticesPage(views.Notices{
				Page: r.page("Dry run: " + views.JobRunTitle(store.NoticesJob, day)), List: l, Date: day, Show: show,
				Service: r.site.jobs.Service(store.NoticesJob), CanRun: refused == "" && r.canRun(store.NoticesJob, day), Refused: refused, Token: r.newFormToken(), Rows: rows,
			})
		},
	})
}

var noticeColumns = []web.Column[store.PlannedNotice]{
	{Name: "Kind", Cell: func(n store.PlannedNotice) web.Cell { return web.Text(string(n.Kind)) }},
	{Name: "Recipient", Cell: func(n store.PlannedNotice) web.Cell { return web.Text(n.Recipient) }},
	{Name: "Name", Cell: func(n store.PlannedNotice) web.Cell { return web.Text(n.Name) }},
	{Name: "To", Cell: func(n store.PlannedNotice) web.Cell { return web.Text(n.To) }},
	{Name: "Contents", Cell: func(n store.PlannedNotice) web.Cell { return web.Text(views.PlannedContents(&n)) }},
}
