package handlers

import (
	"cmp"
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

func showCustomer(r *request) error {
	q, err := r.query("from", "to", "store")
	if err != nil {
		return err
	}
	days := r.days(q)
	customer, err := r.shop.Customer(r.ctx(), r.id())
	if err != nil {
		return err
	}
	id := customer.ID
	orders := part[store.Order]{
		name: "orders", columns: orderColumns,
		ask: func(ctx context.Context, p store.Page) (store.List[store.Order], error) {
			return r.shop.OrdersOfCustomer(ctx, id, days, p)
		},
	}
	invoices := part[store.Invoice]{
		name: "invoices", columns: invoiceColumns,
		ask: func(ctx context.Context, p store.Page) (store.List[store.Invoice], error) {
			return r.shop.InvoicesOfCustomer(ctx, id, days, p)
		},
	}
	products := part[store.OrderItem]{
		name: "products", columns: orderItemColumns,
		ask: func(ctx context.Context, p store.Page) (store.List[store.OrderItem], error) {
			return r.shop.ProductsOfCustomer(ctx, id, days, p)
		},
	}
	events := part[store.Event]{
		ask: func(ctx context.Context, p store.Page) (store.List[store.Event], error) {
			return r.shop.EventsOfCustomer(ctx, id, p)
		},
	}
	rented := r.rented(q, id)
	subscriptions := partOf(r, "", subscriptionColumns, id, store.Access.SubscriptionsOfAccount)
	receipts := partOf(r, "", receiptColumns, id, store.Access.ReceiptsOfAccount)
	var rep *store.Employee
	return answerThing(r, q, thing{
		path: views.CustomerPath(id), lists: append(rented.lists(), &orders, &invoices, &products, &events, subscriptions, receipts),
		reads: []func(context.Context) error{r.readRep(customer.AccountRepID, &rep)},
		page: func() templ.Component {
			return views.CustomerPage(views.Customer{
				Page: r.page(cmp.Or(customer.Name, id)), Customer: *customer, Rep: rep, From: field(q, "from"), To: field(q, "to"),
				MayEdit: r.user.May(store.Sell), MayNote: r.user.May(store.WriteNotes), Once: r.token(),
				Orders: orders.view(), Invoices: invoices.view(), Products: products.view(),
				Rented: rented.view(), Subscriptions: subscriptions.beginning(), Receipts: receipts.beginning(),
				Newest: store.Newest(
					partRows, store.Moments(orders.found.Rows), store.Moments(invoices.found.Rows),
					store.Moments(events.found.Rows), store.Moments(rented.all.found.Rows), store.Moments(receipts.found.Rows),
				),
			})
		},
		json: func() any {
			return struct {
				*store.Customer
				Orders   beginning[store.Order]
				Invoices beginning[store.Invoice]
				Products beginning[store.OrderItem]
				rentedJSON
				Subscriptions beginning[store.Subscription]
				Receipts      beginning[store.Receipt]
			}{customer, orders.json(), invoices.json(), products.json(), rented.json(), subscriptions.json(), receipts.json()}
		},
	})
}

// showTimeline tells all that happened with a customer, page by page.
func showTimeline(r *request) error {
	q, err := r.query()
	if err != nil {
		return err
	}
	customer, err := r.shop.Customer(r.ctx(), r.id())
	if err != nil {
		return err
	}
	return answerList(r, q, listing[store.Moment]{
		file: "timeline", columns: momentColumns, newest: true,
		ask: func(ctx context.Context, p store.Page) (store.List[store.Moment], error) {
			return r.shop.Timeline(ctx, customer.ID, p)
		},
		page: func(l views.List, rows []store.Moment) templ.Component {
			return views.TimelinePage(views.Timeline{Page: r.page("Timeline of " + cmp.Or(customer.Name, customer.ID)), List: l, Customer: *customer, Rows: rows})
		},
	})
}

// readRep finds out who looks after a customer, if anybody does whom the user
// may know of.
func (r *request) readRep(id string, rep **store.Employee) func(context.Context) error {
	return func(ctx context.Context) error {
		if id == "" {
			return nil
		}
		return ifThere(rep)(r.shop.Employee(ctx, id))
	}
}
