package handlers

import (
	"context"
	"errors"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// FindingPages returns the paths of the pages that show the records of a finding.
func FindingPages(f store.CheckFinding) []string { return views.FindingPages(f.About) }

var findingColumns = []web.Column[store.CheckEntry]{
	{Name: "Rule", Cell: func(f store.CheckEntry) web.Cell { return web.Text(string(f.Rule)) }},
	{Name: "PK", Cell: func(f store.CheckEntry) web.Cell { return web.Text(f.PK) }},
	{Name: "SK", Cell: func(f store.CheckEntry) web.Cell { return web.Text(f.SK) }},
	{Name: "Text", Cell: func(f store.CheckEntry) web.Cell { return web.Text(f.Text) }},
}

// showCheck shows the result of the last check of the books, if there was one.
func showCheck(r *request) error {
	if _, err := r.query(); err != nil {
		return err
	}
	report, done, err := r.lastCheck(r.ctx())
	if err != nil {
		return err
	}
	settings, err := r.shop.Settings(r.ctx())
	if err != nil {
		return err
	}
	running, err := r.shop.IsChecking(r.ctx())
	if err != nil {
		return err
	}
	if running && !r.wantsFile() {
		r.Response().Header().Set("Refresh", refreshSeconds) // reloads the page, also without JavaScript
	}
	return respondRows(r, "check", findingColumns, report.First, nil, func(string) templ.Component {
		return views.CheckPage(views.Check{
			Page: r.page("Check"), List: views.List{Path: views.CheckPath}, Report: report, Done: done, On: !settings.SchedulerSince.IsZero(),
			File: r.dataFile(), Token: r.newFormToken(), Running: running, Items: r.site.jobs.CheckedItems(),
		})
	})
}

// startCheck starts a check of the books. If a check is already running, the page says so.
func startCheck(r *request) error {
	if _, err := r.readForm(); err != nil {
		return err
	}
	err := r.site.jobs.StartCheck(r.ctx())
	switch {
	case errors.Is(err, store.ErrLeased):
		return r.redirectWithFlash("A check of the books is already running.", views.CheckPath)
	case err != nil:
		return err
	}
	return r.redirectWithFlash("Check of the books started.", views.CheckPath)
}

// lastCheck returns the result of the last check of the books. The result done is false if
// no check has been completed.
func (r *request) lastCheck(ctx context.Context) (report store.CheckReport, done bool, err error) {
	found, err := r.shop.LastCheck(ctx)
	switch {
	case store.KindOf(err) == store.NotFound:
		return report, false, nil
	case err != nil:
		return report, false, err
	}
	return *found, true, nil
}
