package handlers

import (
	"cmp"
	"context"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// warehouseID is the warehouse in the path of a product's stock.
func (r *request) warehouseID() string { return r.param("warehouse") }

// showStock shows a product in one warehouse, with its ledger.
func showStock(r *request) error {
	q, err := r.query()
	if err != nil {
		return err
	}
	item, err := r.shop.StockItem(r.ctx(), r.id(), r.warehouseID())
	if err != nil {
		return err
	}
	var warehouse *store.Warehouse
	total := 0
	ledger := part[store.StockMove]{
		name: "ledger", columns: moveColumns,
		ask: func(ctx context.Context, p store.Page) (store.List[store.StockMove], error) {
			return r.shop.StockMoves(ctx, item.ProductID, item.WarehouseID, p)
		},
	}
	return answerThing(r, q, thing{
		path: views.StockPath(item.ProductID, item.WarehouseID), lists: []attached{&ledger},
		reads: []func(context.Context) error{
			func(ctx context.Context) error {
				return ifThere(&warehouse)(r.shop.Warehouse(ctx, item.WarehouseID))
			},
			func(ctx context.Context) (err error) {
				total, err = r.shop.TotalStockOfProduct(ctx, item.ProductID)
				return err
			},
		},
		page: func() templ.Component {
			return views.StockPage(views.Stock{
				Page: r.page(cmp.Or(item.Name, item.ProductID)), Item: *item, Warehouse: orID(warehouse, item.WarehouseID),
				Total: total, Ledger: ledger.view(), MayChange: r.user.May(store.ChangeStock), Form: r.formOf(web.Form{}, nil, item.Version),
			})
		},
		json: func() any {
			return struct {
				*store.WarehouseItem
				Ledger beginning[store.StockMove]
			}{item, ledger.json()}
		},
	})
}

// orID is a warehouse that is gone, although something still lies there, under
// its ID.
func orID(w *store.Warehouse, id string) store.Warehouse {
	if w == nil {
		return store.Warehouse{ID: id}
	}
	return *w
}

// askReceived asks which product has arrived in a warehouse, and goes on to
// its form.
func askReceived(r *request) error {
	q, err := r.query("product")
	if err != nil {
		return err
	}
	onlyOrder(q)
	warehouse, err := r.shop.Warehouse(r.ctx(), r.id())
	if err != nil {
		return err
	}
	if name := q.Get("product"); name != "" {
		id, err := r.productID(name)
		switch {
		case err != nil:
			return err
		case id != "":
			return web.Redirect(r.Context, views.StockPath(id, warehouse.ID)+"/"+string(views.StockReceive))
		}
		q.Fail("product", "There is no product with this ID or SKU.")
	}
	return r.site.tools.RenderStatus(r.Context, q.Status(), views.ReceivingPage(views.Receiving{
		Page: r.page("Receive goods"), Warehouse: *warehouse, Product: field(q, "product"),
	}))
}

// productID finds a product by its ID or its SKU; "" where there is none.
func (r *request) productID(name string) (string, error) {
	product, err := r.shop.Product(r.ctx(), name)
	switch {
	case err == nil:
		return product.ID, nil
	case store.KindOf(err) != store.NotFound:
		return "", err
	}
	found, err := r.shop.ProductsBySKU(r.ctx(), name)
	if err != nil || len(found.Rows) == 0 {
		return "", err
	}
	return found.Rows[0].ID, nil
}
