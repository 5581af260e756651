package handlers

import (
	"context"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/store/key"
	"stockroom/views"
	"stockroom/web"
)

func listProducts(r *request) error {
	q, err := r.query("bucket", "name", "category", "archived", views.ColumnsParam)
	if err != nil {
		return err
	}
	rejectSort(q)
	bucket := web.OneOf(q, "bucket", key.Buckets)
	f := store.ProductFilter{Bucket: bucket, Name: q.Get("name"), Category: q.Get("category"), Archived: archivedOf(q) == store.OnlyArchived}
	if f.Category != "" && bucket != "" && bucket < "a" {
		// Within a category, the list can only be read by one prefix of the name, such
		// as a letter. The tabs for digits and for other scripts would need many
		// prefixes.
		q.Fail("category", "Choose a letter from A to Z to filter within a category.")
	}
	var categories []string
	if !r.wantsFile() {
		if categories, err = r.shop.Categories(r.ctx()); err != nil {
			return err
		}
	}
	return respondList(r, q, listPage[store.StockedProduct]{
		file: "products", columns: productColumns, shown: views.ProductColumns,
		fetch: func(ctx context.Context, p store.Page) (store.List[store.StockedProduct], error) {
			return r.shop.StockedProducts(ctx, f, p)
		},
		page: func(l views.List, rows []store.StockedProduct) templ.Component {
			return views.ProductsPage(views.Products{
				Page: r.page("Products"), List: l, Bucket: bucket, Name: queryInput(q, "name"), Category: queryInput(q, "category"), Rows: rows, CanAdd: r.user.May(store.SetUp), Archived: f.Archived,
				Categories: categories,
				CanSelect:  !f.Archived && r.user.MayInWarehouse(store.ChangeStock),
			})
		},
	})
}
