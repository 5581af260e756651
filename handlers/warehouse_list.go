package handlers

import (
	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
)

func listWarehouses(r *request) error {
	q, err := r.query()
	if err != nil {
		return err
	}
	rejectSort(q)
	return respondList(r, q, listPage[store.Warehouse]{
		file: "warehouses", columns: warehouseColumns, fetch: r.shop.Warehouses,
		page: func(l views.List, rows []store.Warehouse) templ.Component {
			return views.WarehousesPage(views.Warehouses{Page: r.page("Warehouses"), List: l, Rows: rows})
		},
	})
}
