package handlers

import (
	"context"
	"time"

	"stockroom/store"
	"stockroom/views"
)

// chartParts returns a part for each month in the chart. The page shows the chart only if
// all these parts were read.
func (r *request) chartParts() []todayPart {
	last := r.now()
	first := last.AddDate(0, 0, 1-chartDays)
	ranges := []store.DateRange{{From: first, To: last}}
	if first.Month() != last.Month() {
		begin := time.Date(last.Year(), last.Month(), 1, 12, 0, 0, 0, last.Location())
		ranges = []store.DateRange{{From: first, To: begin.AddDate(0, 0, -1)}, {From: begin, To: last}}
	}
	parts := make([]todayPart, len(ranges))
	for i, days := range ranges {
		parts[i] = todayPart{name: "Orders per day, " + days.To.Format("January"), cost: r.settings.ShardsRead, read: showOf(
			func(ctx context.Context) ([]store.DayTotal, error) {
				return r.shop.Totals(ctx, store.TotalOrders, days)
			},
			func(page *views.Today, found []store.DayTotal) {
				if page.ChartMonths++; page.ChartMonths == len(ranges) {
					page.Days = make([]store.DayTotal, chartDays)
					for i := range page.Days {
						year, month, day := first.AddDate(0, 0, i).Date()
						page.Days[i].Day = time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
					}
				}
				page.Totals = append(page.Totals, found...)
				for i := range page.Days {
					for _, t := range page.Totals {
						if t.Day.Equal(page.Days[i].Day) {
							page.Days[i] = t
						}
					}
				}
			})}
	}
	return parts
}
