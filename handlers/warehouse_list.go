package handlers

import (
	"context"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

func listWarehouses(r *request) error {
	q, err := r.query("archived")
	if err != nil {
		return err
	}
	rejectSort(q)
	which := archivedOf(q)
	return respondList(r, q, listPage[store.Warehouse]{
		file: "warehouses", columns: warehouseColumns,
		fetch: func(ctx context.Context, p store.Page) (store.List[store.Warehouse], error) {
			return r.shop.Warehouses(ctx, which, p)
		},
		page: func(l views.List, rows []store.Warehouse) templ.Component {
			return views.WarehousesPage(views.Warehouses{Page: r.page("Warehouses"), List: l, Rows: rows, Archived: which == store.OnlyArchived})
		},
	})
}

// filteredWarehouses returns the ID of the warehouse in the filter. If the filter is
// empty, it returns the IDs of all warehouses.
func filteredWarehouses(q *web.Query, all []store.Warehouse) []string {
	if id := q.Get("warehouse"); id != "" {
		return []string{id}
	}
	ids := make([]string, len(all))
	for i := range all {
		ids[i] = all[i].ID
	}
	return ids
}
