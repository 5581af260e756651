package handlers

import (
	"cmp"
	"context"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// warehouseID returns the warehouse ID in the path of a stock page.
func (r *request) warehouseID() string { return r.param("warehouse") }

// withStockLevels returns a function that adds stock levels to a page of a list of stock
// items. Pass the results of reading this page to the returned function.
func (r *request) withStockLevels(ctx context.Context, p store.Page) func(store.List[store.WarehouseItem], error) (store.List[store.StockRow], error) {
	return func(found store.List[store.WarehouseItem], err error) (store.List[store.StockRow], error) {
		if err != nil {
			return store.List[store.StockRow]{}, err
		}
		return r.shop.WithStockLevels(ctx, found, p)
	}
}

// stockLevel returns the part of a page that shows the stock level of a product.
func (r *request) stockLevel(productID string) *single[store.StockLevel] {
	return &single[store.StockLevel]{fetch: func(ctx context.Context) (store.StockLevel, error) {
		return r.shop.StockLevelOf(ctx, productID)
	}}
}

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
	var product *store.Product
	total := 0
	level := r.stockLevel(item.ProductID)
	cover := &single[store.StockCover]{fetch: func(ctx context.Context) (store.StockCover, error) {
		return r.shop.StockCover(ctx, item.ProductID, item.WarehouseID)
	}}
	ledger := part[store.StockMove]{
		name: "ledger", columns: stockMoveColumns,
		fetch: func(ctx context.Context, p store.Page) (store.List[store.StockMove], error) {
			return r.shop.StockMoves(ctx, item.ProductID, item.WarehouseID, p)
		},
	}
	expected := part[store.ExpectedDelivery]{
		name: "deliveries", columns: deliveryColumns,
		fetch: func(ctx context.Context, p store.Page) (store.List[store.ExpectedDelivery], error) {
			return r.shop.DeliveriesOfStock(ctx, item.ProductID, item.WarehouseID, p)
		},
	}
	transfers := part[store.Transfer]{
		name: "transfers", columns: transferColumns,
		fetch: func(ctx context.Context, p store.Page) (store.List[store.Transfer], error) {
			return r.shop.TransfersToStock(ctx, item.ProductID, item.WarehouseID, p)
		},
	}
	notes := part[store.Event]{
		name: "events", columns: eventColumns,
		fetch: func(ctx context.Context, p store.Page) (store.List[store.Event], error) {
			return r.shop.NotesOnStock(ctx, item.ProductID, item.WarehouseID, p)
		},
	}
	return respondDetail(r, q, detailPage{
		path: views.StockPath(item.ProductID, item.WarehouseID), lists: []listPart{&ledger, &expected, &transfers, &notes}, parts: []pagePart{level, cover},
		related: func() store.RelatedIDs {
			ids := store.RelatedTo(ledger.view().Rows)
			ids.TransferEnds = store.RelatedTo(transfers.view().Rows).TransferEnds
			return ids
		},
		reads: []func(context.Context) error{
			func(ctx context.Context) error {
				return ifFound(&warehouse)(r.shop.Warehouse(ctx, item.WarehouseID))
			},
			func(ctx context.Context) error {
				return ifFound(&product)(r.shop.Product(ctx, item.ProductID))
			},
			func(ctx context.Context) (err error) {
				total, err = r.shop.TotalStockOfProduct(ctx, item.ProductID)
				return err
			},
		},
		page: func() templ.Component {
			return views.StockPage(views.Stock{
				Page: r.page(cmp.Or(item.Name, item.ProductID)), Item: *item, Warehouse: warehouseOrID(warehouse, item.WarehouseID),
				Archived: product != nil && product.Archived, Total: total, Level: level.found, Cover: cover.view(), Ledger: ledger.view(), Expected: expected.view(), Transfers: transfers.view(), Notes: notes.view(), Token: r.newFormToken(), CanChange: r.user.May(store.ChangeStock), Form: r.formState(web.Form{}, nil, item.Version), Seen: reorderSeen(item),
			})
		},
		json: func() any {
			return struct {
				*store.WarehouseItem
				store.StockLevel
				Ledger    firstRows[store.StockMove]
				Expected  firstRows[store.ExpectedDelivery]
				Transfers firstRows[store.Transfer]
				Notes     firstRows[store.Event]
			}{item, level.found, ledger.json(), expected.json(), transfers.json(), notes.json()}
		},
	})
}

// warehouseOrID returns *w. If w is nil, it returns a warehouse with only an ID.
func warehouseOrID(w *store.Warehouse, id string) store.Warehouse {
	if w == nil {
		return store.Warehouse{ID: id}
	}
	return *w
}

// productID returns the ID of the product with this ID or SKU, or "". If several
// products have the SKU, it returns the first of them.
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
