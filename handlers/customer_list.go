package handlers

import (
	"context"
	"strings"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/store/key"
	"stockroom/views"
	"stockroom/web"
)

func listCustomers(r *request) error {
	q, err := r.query("bucket", "name", "email", views.ColumnsParam)
	if err != nil {
		return err
	}
	rejectSort(q)
	email := q.Get("email")
	f := store.CustomerFilter{Bucket: web.OneOf(q, "bucket", key.Buckets), Name: q.Get("name")}
	switch {
	case email != "" && !strings.Contains(email, "@"):
		q.Fail("email", "Enter a full email address. For names, the first letters of a word are enough.")
	case email != "" && f != (store.CustomerFilter{}):
		q.Fail("email", "Use either the email filter or the filters by name, not both.")
	}
	return respondList(r, q, listPage[store.Customer]{
		file: "customers", columns: customerColumns, shown: views.CustomerColumns,
		fetch: func(ctx context.Context, p store.Page) (store.List[store.Customer], error) {
			if email != "" {
				return r.shop.CustomersByEmail(ctx, email)
			}
			return r.shop.Customers(ctx, f, p)
		},
		page: func(l views.List, rows []store.Customer) templ.Component {
			return views.CustomersPage(views.Customers{
				Page: r.page("Customers"), List: l, Bucket: f.Bucket, Name: queryInput(q, "name"), Email: queryInput(q, "email"), Rows: rows, CanAdd: r.user.May(store.EditCustomers),
			})
		},
	})
}
