package handlers

import (
	"cmp"
	"context"
	"slices"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
)

func showProduct(r *request) error {
	q, err := r.query("from", "to")
	if err != nil {
		return err
	}
	days := r.days(q)
	product, err := r.shop.Product(r.ctx(), r.id())
	if err != nil {
		return err
	}
	id := product.ID
	var stock []store.WarehouseItem
	level := r.stockLevel(id)
	var warehouses store.List[store.Warehouse]
	orders := part[store.OrderItem]{
		name: "orders", columns: orderItemColumns,
		fetch: func(ctx context.Context, p store.Page) (store.List[store.OrderItem], error) {
			return r.shop.OrdersOfProduct(ctx, id, days, p)
		},
	}
	openOrders := part[store.OrderItem]{
		name: "on-order", columns: orderItemColumns,
		fetch: func(ctx context.Context, p store.Page) (store.List[store.OrderItem], error) {
			return r.shop.ItemsOnOrder(ctx, id, p)
		},
	}
	expected := part[store.ExpectedDelivery]{
		name: "deliveries", columns: deliveryColumns,
		fetch: func(ctx context.Context, p store.Page) (store.List[store.ExpectedDelivery], error) {
			return r.shop.DeliveriesOfProduct(ctx, id, p)
		},
	}
	transfers := part[store.Transfer]{
		name: "transfers", columns: transferColumns,
		fetch: func(ctx context.Context, p store.Page) (store.List[store.Transfer], error) {
			return r.shop.TransfersOfProduct(ctx, id, p)
		},
	}
	notes := partOf(r, "events", eventColumns, id, store.Access.NotesOnProduct)
	return respondDetail(r, q, detailPage{
		path: views.ProductPath(id), lists: []listPart{&orders, &openOrders, &expected, &transfers, notes}, parts: []pagePart{level},
		reads: []func(context.Context) error{
			func(ctx context.Context) (err error) {
				stock, err = r.shop.StockOfProduct(ctx, id)
				return err
			},
			func(ctx context.Context) (err error) {
				warehouses, err = r.shop.Warehouses(ctx, store.AlsoArchived, store.Page{Limit: store.MaxLimit})
				return err
			},
		},
		related: func() store.RelatedIDs {
			var ids store.RelatedIDs
			for _, item := range slices.Concat(orders.found.Rows, openOrders.found.Rows) {
				ids.Customers = append(ids.Customers, item.CustomerID)
			}
			return ids
		},
		page: func() templ.Component {
			return views.ProductPage(views.Product{
				Page: r.page(cmp.Or(product.Name, id)), Product: *product, Stock: stock, Level: level.found, Warehouses: warehouses.Rows,
				CanChange: r.user.MayInWarehouse(store.ChangeStock), CanEdit: r.user.May(store.SetUp), Token: r.newFormToken(), OnOrder: openOrders.view(), Expected: expected.view(), Transfers: transfers.view(), Notes: notes.view(),
				From: queryInput(q, "from"), To: queryInput(q, "to"), Orders: orders.view(),
			})
		},
		json: func() any {
			return struct {
				*store.Product
				store.StockLevel
				Stock     []store.WarehouseItem
				Orders    firstRows[store.OrderItem]
				OnOrder   firstRows[store.OrderItem]
				Expected  firstRows[store.ExpectedDelivery]
				Transfers firstRows[store.Transfer]
				Notes     firstRows[store.Event]
			}{product, level.found, stock, orders.json(), openOrders.json(), expected.json(), transfers.json(), notes.json()}
		},
	})
}

func listStockOfProduct(r *request) error {
	rows, err := r.shop.InventoryOfProduct(r.ctx(), r.id())
	if err != nil {
		return err
	}
	level := r.stockLevel(r.id())
	if err := level.read(r.ctx(), r.wantsFile()); err != nil {
		return err
	}
	r.logFailure(level)
	all := make([]store.StockRow, len(rows))
	for i := range rows {
		all[i] = store.StockRow{WarehouseItem: rows[i], StockLevel: level.found}
	}
	if !r.wantsFile() {
		if err := r.relate(relatedIDs(stockColumns, all)); err != nil {
			return err
		}
	}
	return respondRows(r, "stock", stockColumns, all, nil, func(id string) templ.Component {
		return views.ProductStockPage(views.ProductStock{Page: r.page("Stock of product " + id), ProductID: id, Rows: rows, Level: level.found})
	})
}
