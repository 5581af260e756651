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
	q, err := r.query("bucket", "name", "email")
	if err != nil {
		return err
	}
	onlyOrder(q)
	email := q.Get("email")
	f := store.CustomerFilter{Bucket: web.OneOf(q, "bucket", key.Buckets), Name: q.Get("name")}
	switch {
	case email != "" && !strings.Contains(email, "@"):
		q.Fail("email", "This is no e-mail address. Of names the beginning is enough, an address has to be whole.")
	case email != "" && f != (store.CustomerFilter{}):
		q.Fail("email", "An address stands alone: take off the letter and the name.")
	}
	return answerList(r, q, listing[store.Customer]{
		file: "customers", columns: customerColumns,
		ask: func(ctx context.Context, p store.Page) (store.List[store.Customer], error) {
			switch {
			case email != "":
				return r.shop.CustomersByEmail(ctx, email)
			case !beginsIn(f.Bucket, f.Name):
				return store.List[store.Customer]{}, nil
			}
			return r.shop.Customers(ctx, f, p)
		},
		page: func(l views.List, rows []store.Customer) templ.Component {
			return views.CustomersPage(views.Customers{
				Page: r.page("Customers"), List: l, Bucket: f.Bucket, Name: field(q, "name"), Email: field(q, "email"), Rows: rows, MayAdd: r.user.May(store.Sell),
			})
		},
	})
}

// beginsIn says whether names that begin so can lie under a first letter,
// where both are asked for.
func beginsIn(bucket, name string) bool {
	folded := key.Fold(name)
	return bucket == "" || folded == "" || key.Bucket(folded) == bucket
}
