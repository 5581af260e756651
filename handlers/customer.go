package handlers

import (
	"cmp"
	"context"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
)

// customerPage is everything that there is of a person, in all parts of the
// business.
type customerPage struct {
	customer store.Customer
	profile  single[*store.Customer] // read before the rest: it says whether there is such a customer
	rep      *single[*store.Employee]
	orders   *part[store.Order]
	invoices *part[store.Invoice]
	products *part[store.OrderItem]
	rented   *rented
	debt     single[store.Debt]
	billing  single[store.Billing]
	events   *part[store.Event]
}

func showCustomer(r *request) error {
	q, err := r.query("from", "to", "store")
	if err != nil {
		return err
	}
	days, id := r.days(q), r.id()
	var p customerPage
	p.profile.ask = func(ctx context.Context) (*store.Customer, error) { return r.shop.Customer(ctx, id) }
	if err := p.profile.read(r.ctx(), r.file()); err != nil {
		return err
	}
	r.logFailure(&p.profile)
	p.customer = store.Customer{ID: id}
	if p.profile.found != nil {
		p.customer = *p.profile.found
	}
	p.rep = r.repOf(p.customer)
	p.orders = partOf(r, "orders", orderColumns, id, within(days, store.Access.OrdersOfCustomer))
	p.invoices = partOf(r, "invoices", invoiceColumns, id, within(days, store.Access.InvoicesOfCustomer))
	p.products = partOf(r, "products", orderItemColumns, id, within(days, store.Access.ProductsOfCustomer))
	p.events = partOf(r, "", eventColumns, id, store.Access.EventsOfCustomer)
	p.rented = r.rented(q, id)
	p.debt.ask = func(ctx context.Context) (store.Debt, error) { return r.shop.DebtOf(ctx, id) }
	p.billing.ask = func(ctx context.Context) (store.Billing, error) { return r.shop.BillingOf(ctx, id) }
	return answerThing(r, q, thing{
		path:  views.CustomerPath(id),
		lists: append(p.rented.lists(), p.orders, p.invoices, p.products, p.events),
		parts: []reader{p.rep, &p.debt, &p.billing},
		page: func() templ.Component {
			v := p.view()
			v.Page, v.From, v.To = r.page(cmp.Or(p.customer.Name, id)), field(q, "from"), field(q, "to")
			v.MayEdit, v.MayNote, v.Once = r.user.May(store.Sell), r.user.May(store.WriteNotes), r.token()
			return views.CustomerPage(v)
		},
		json: p.json,
	})
}

// within asks for what a person has of some days.
func within[T any](days store.DateRange, ask func(store.Access, context.Context, string, store.DateRange, store.Page) (store.List[T], error)) func(store.Access, context.Context, string, store.Page) (store.List[T], error) {
	return func(a store.Access, ctx context.Context, id string, p store.Page) (store.List[T], error) {
		return ask(a, ctx, id, days, p)
	}
}

// repOf finds out who looks after a customer, if anybody does whom the user
// may know of.
func (r *request) repOf(c store.Customer) *single[*store.Employee] {
	return &single[*store.Employee]{ask: func(ctx context.Context) (rep *store.Employee, err error) {
		if c.AccountRepID == "" {
			return rep, nil
		}
		err = ifThere(&rep)(r.shop.Employee(ctx, c.AccountRepID))
		return rep, err
	}}
}

func (p *customerPage) view() views.Customer {
	billing := &p.billing.found
	missing := p.orders.failed != nil || p.invoices.failed != nil || p.events.failed != nil || p.rented.all.failed != nil || p.billing.failed != nil
	return views.Customer{
		Customer: views.Single[store.Customer]{Found: p.customer, Failed: p.profile.failed != nil}, Rep: p.rep.view(), Debt: p.debt.view(),
		Orders: p.orders.view(), Invoices: p.invoices.view(), Products: p.products.view(), Rented: p.rented.view(),
		NextPayment:   views.Single[*store.Subscription]{Found: billing.Next(), Failed: p.billing.failed != nil},
		Subscriptions: ofAccount(p, "subscriptions", billing.Subscriptions), Receipts: ofAccount(p, "receipts", billing.Receipts),
		Newest: store.Newest(
			partRows, store.Moments(p.orders.found.Rows), store.Moments(p.invoices.found.Rows), store.Moments(p.events.found.Rows),
			store.Moments(p.rented.all.found.Rows), store.Moments(billing.Receipts), store.Moments(billing.Events),
		),
		NewestLack: missing,
	}
}

// ofAccount is one of the lists of the customer's account, which go on at the
// account's own page.
func ofAccount[T any](p *customerPage, list string, rows []T) views.Part[T] {
	path := views.BillingPath(p.customer.ID) + "/" + list
	part := views.Part[T]{Rows: rows[:min(partRows, len(rows))], CSV: views.List{Path: path}.CSV(), Failed: p.billing.failed != nil}
	part.Shown = len(part.Rows)
	if len(rows) > partRows || p.billing.found.More {
		part.NextURL = path
	}
	return part
}

func (p *customerPage) json() any {
	billing := &p.billing.found
	return struct {
		*store.Customer
		Debt     store.Debt
		Orders   beginning[store.Order]
		Invoices beginning[store.Invoice]
		Products beginning[store.OrderItem]
		rentedJSON
		Subscriptions beginning[store.Subscription]
		Receipts      beginning[store.Receipt]
	}{
		&p.customer, p.debt.found, p.orders.json(), p.invoices.json(), p.products.json(), p.rented.json(),
		beginning[store.Subscription]{append([]store.Subscription{}, billing.Subscriptions...), billing.More},
		beginning[store.Receipt]{append([]store.Receipt{}, billing.Receipts...), billing.More},
	}
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
