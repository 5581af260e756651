package handlers

import (
	"github.com/a-h/templ"
	"golang.org/x/sync/errgroup"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// The columns of the list of stores in CSV files.

var storeColumns = append([]web.Column[views.StoreRow]{
	{Name: "StoreID", Cell: func(s views.StoreRow) web.Cell { return web.Text(s.ID) }},
	{Name: "Name", Cell: func(s views.StoreRow) web.Cell { return web.Text(s.Name) }},
	{Name: "In", Cell: func(s views.StoreRow) web.Cell { return integer(s.In) }},
	{Name: "Out", Cell: func(s views.StoreRow) web.Cell { return integer(s.Out) }},
	{Name: "Overdue", Cell: func(s views.StoreRow) web.Cell { return integer(s.Overdue) }},
	{Name: "Repair", Cell: func(s views.StoreRow) web.Cell { return integer(s.Repair) }},
}, fieldColumns(store.AddressFields(func(s *views.StoreRow) *store.Address { return &s.Address }))...)

// listStores lists the stores, or the archived ones, with the number of overdue kayaks
// of each store.
func listStores(r *request) error {
	q, err := r.query("archived")
	if err != nil {
		return err
	}
	which := archivedOf(q)
	var stores []store.RentalStore
	var overdue map[string]int
	var complete bool
	both, ctx := errgroup.WithContext(r.ctx())
	both.Go(func() (err error) {
		stores, err = r.shop.RentalStores(ctx, which)
		return err
	})
	both.Go(func() (err error) {
		overdue, complete, err = r.shop.Overdue(ctx)
		return err
	})
	err = both.Wait()
	rows := make([]views.StoreRow, len(stores))
	for i, s := range stores {
		rows[i] = views.StoreRow{RentalStore: s, Overdue: overdue[s.ID]}
	}
	return respondRows(r, "stores", storeColumns, rows, err, func(string) templ.Component {
		return views.StoresPage(views.Stores{Page: r.page("Stores"), Rows: rows, Complete: complete, Archived: which == store.OnlyArchived})
	})
}
