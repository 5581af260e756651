package handlers

import (
	"context"
	"slices"
	"time"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
)

func listInvoices(r *request) error {
	q, err := readStatusQuery(r, store.InvoiceFilters, views.InvoiceStatusText)
	if err != nil {
		return err
	}
	f := store.InvoiceFilter{Status: q.status, DateRange: q.days}
	return respondList(r, q.Query, listPage[store.Invoice]{
		file: q.file("invoices"), columns: r.invoiceColumns(), shown: views.InvoiceColumns, newestFirst: q.status == "", reversible: true,
		fetch: func(ctx context.Context, p store.Page) (store.List[store.Invoice], error) {
			return r.shop.Invoices(ctx, f, q.reverse, p)
		},
		older: q.older(r.settings.Zone(), func(before store.DateRange) (time.Time, error) {
			newest, err := r.shop.NewestInvoice(r.ctx(), before)
			if err != nil {
				return time.Time{}, err
			}
			return newest.Date, nil
		}),
		page: func(l views.List, rows []store.Invoice) templ.Component {
			return views.InvoicesPage(views.Invoices{
				Page: r.page("Invoices"), List: l, Status: q.status, From: q.from, To: q.to, Rows: rows,
				Filters: statusFilters(q),
			})
		},
	})
}

// statusFilters returns the filters of a list that can be filtered by status. It replaces
// named periods, such as "last month", with their dates.
func statusFilters[S ~string](q statusQuery[S]) []ui.Param {
	return []ui.Param{{Name: "status", Value: string(q.status)}, {Name: "from", Value: dayText(q.days.From)}, {Name: "to", Value: dayText(q.days.To)}}
}

// dayText formats a calendar day as the value of a filter. It returns "" for the zero time.
func dayText(day time.Time) string {
	if day.IsZero() {
		return ""
	}
	return day.Format(time.DateOnly)
}

// invoiceFilter returns the filter for all invoices that match the filters of a list.
func invoiceFilter(s *views.BulkSelection) (f store.InvoiceFilter, err error) {
	f.Status = store.InvoiceStatus(s.Filter("status"))
	if f.Status != "" && !slices.Contains(store.InvoiceFilters, f.Status) {
		return f, errFiltersChanged
	}
	f.DateRange, err = selectedDays(s)
	return f, err
}

// selectedDays returns the days in the filters of a list.
func selectedDays(s *views.BulkSelection) (days store.DateRange, err error) {
	if days.From, err = store.ParseDay("", s.Filter("from")); err == nil {
		days.To, err = store.ParseDay("", s.Filter("to"))
	}
	return days, err
}
