package handlers

import (
	"cmp"
	"context"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/store/key"
	"stockroom/views"
	"stockroom/web"
)

func listProducts(r *request) error {
	q, err := r.query("bucket", "name", "category")
	if err != nil {
		return err
	}
	onlyOrder(q)
	bucket := web.OneOf(q, "bucket", key.Buckets)
	f := store.ProductFilter{Bucket: bucket, Name: q.Get("name"), Category: q.Get("category")}
	if f.Category != "" && bucket != "" && f.Name == "" {
		// Within a category, a letter is the beginning of a name. Digits and
		// other scripts are many beginnings, for which there is no key.
		if f.Name = bucket; bucket < "a" {
			q.Fail("category", "Within a category, choose a letter from A to Z.")
		}
	}
	return answerList(r, q, listing[store.Product]{
		file: "products", columns: productColumns,
		ask: func(ctx context.Context, p store.Page) (store.List[store.Product], error) {
			if !beginsIn(bucket, f.Name) {
				return store.List[store.Product]{}, nil
			}
			return r.shop.Products(ctx, f, p)
		},
		page: func(l views.List, rows []store.Product) templ.Component {
			return views.ProductsPage(views.Products{
				Page: r.page("Products"), List: l, Bucket: bucket, Name: field(q, "name"), Category: field(q, "category"), Rows: rows, MayAdd: r.user.May(store.Sell),
			})
		},
	})
}

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
	var where []store.WarehouseItem
	var warehouses store.List[store.Warehouse]
	orders := part[store.OrderItem]{
		name: "orders", columns: orderItemColumns,
		ask: func(ctx context.Context, p store.Page) (store.List[store.OrderItem], error) {
			return r.shop.OrdersOfProduct(ctx, id, days, p)
		},
	}
	waiting := part[store.OrderItem]{
		name: "on-order", columns: orderItemColumns,
		ask: func(ctx context.Context, p store.Page) (store.List[store.OrderItem], error) {
			return r.shop.ItemsOnOrder(ctx, id, p)
		},
	}
	return answerThing(r, q, thing{
		path: views.ProductPath(id), lists: []attached{&orders, &waiting},
		reads: []func(context.Context) error{
			func(ctx context.Context) (err error) {
				where, err = r.shop.StockOfProduct(ctx, id)
				return err
			},
			func(ctx context.Context) (err error) {
				warehouses, err = r.shop.Warehouses(ctx, store.Page{Limit: store.MaxLimit})
				return err
			},
		},
		page: func() templ.Component {
			return views.ProductPage(views.Product{
				Page: r.page(cmp.Or(product.Name, id)), Product: *product, Stock: where, Warehouses: warehouses.Rows,
				MayChange: r.user.May(store.ChangeStock), MayEdit: r.user.May(store.Sell), OnOrder: waiting.view(),
				From: field(q, "from"), To: field(q, "to"), Orders: orders.view(),
			})
		},
		json: func() any {
			return struct {
				*store.Product
				Stock   []store.WarehouseItem
				Orders  beginning[store.OrderItem]
				OnOrder beginning[store.OrderItem]
			}{product, where, orders.json(), waiting.json()}
		},
	})
}

// listStockOfProduct lists where a product lies.
func listStockOfProduct(r *request) error {
	rows, err := r.shop.InventoryOfProduct(r.ctx(), r.id())
	return answerWhole(r, "stock", stockColumns, rows, err, func(id string) templ.Component {
		return views.ProductStockPage(views.ProductStock{Page: r.page("Stock of product " + id), ProductID: id, Rows: rows})
	})
}
