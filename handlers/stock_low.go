package handlers

import (
	"context"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// listLowStock lists the low stock of one warehouse, or of all warehouses that the user
// may see. The parameter "show" selects stock with no pieces left.
func listLowStock(r *request) error {
	q, err := r.query("warehouse", "show")
	if err != nil {
		return err
	}
	warehouses, err := r.shop.Warehouses(r.ctx(), store.NotArchived, store.Page{Limit: store.MaxLimit})
	if err != nil {
		return err
	}
	var ids []string
	if id := q.Get("warehouse"); id != "" {
		ids = []string{id}
	} else {
		for _, w := range warehouses.Rows {
			ids = append(ids, w.ID)
		}
	}
	read, out := r.shop.LowStock, web.OneOf(q, "show", []string{views.ShowOut}) != ""
	if out {
		read = r.shop.OutOfStock
	}
	return respondList(r, q, listPage[store.StockRow]{
		file: "low-stock", columns: stockColumns,
		fetch: func(ctx context.Context, p store.Page) (store.List[store.StockRow], error) {
			return r.withStockLevels(ctx, p)(read(ctx, ids, p))
		},
		page: func(l views.List, rows []store.StockRow) templ.Component {
			return views.StockLowPage(views.StockLow{
				Page: r.page("Low stock"), List: l.NameWarehouses(warehouses.Rows), Out: out, Warehouse: queryInput(q, "warehouse"), Warehouses: warehouses.Rows, Rows: rows,
			})
		},
	})
}
