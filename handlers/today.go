package handlers

import (
	"stockroom/views"
)

// Limits of the figures on the page Today.
const (
	lowRows            = 8
	pickUpRows         = 10
	maxTodayWarehouses = 8  // maximum number of warehouses
	maxCount           = 99 // maximum of a count; a count reads every row, so it stops there and more rows are shown as 99+
	chartDays          = 14 // number of days in the chart, including today
)

// today renders the page Today. It reads the parts in parallel; see todayParts. If a
// part cannot be read, the page says so and shows the other parts.
func today(r *request) error {
	state := r.tableState()
	day, err := r.shop.Today(r.ctx())
	if err != nil {
		return err
	}
	page := views.Today{Recurring: views.Recurring{Day: day}}
	if err := r.showParts(&page, state, r.todayParts(day)); err != nil {
		return err
	}
	page.Token = r.newFormToken()
	page.Page = r.page("Today")
	page.File = r.dataFile()
	page.OwnPlaces = !r.user.InChargeOfAll()
	return r.show(views.TodayPage(page))
}
