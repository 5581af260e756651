package handlers

import (
	"cmp"
	"context"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
)

// customerPage collects the data of the page of a customer.
type customerPage struct {
	customer store.Customer
	profile  single[*store.Customer] // read before the other parts, because the customer may not exist
	rep      *single[*store.Employee]
	orders   *part[store.Order]
	invoices *part[store.Invoice]
	notes    *part[store.CreditNote]
	products *part[store.OrderItem]
	rented   *rented
	debt     single[store.Debt]
	billing  single[store.Billing]
	events   *part[store.Event]
	same     *single[[]store.Renter]
}

func showCustomer(r *request) error {
	q, err := r.query("from", "to", "store")
	if err != nil {
		return err
	}
	days, id := r.days(q), r.id()
	var p customerPage
	p.profile.fetch = func(ctx context.Context) (*store.Customer, error) { return r.shop.Customer(ctx, id) }
	if err := p.profile.read(r.ctx(), r.wantsFile()); err != nil {
		return err
	}
	r.logFailure(&p.profile)
	p.customer = store.Customer{ID: id}
	if p.profile.found != nil {
		p.customer = *p.profile.found
	}
	p.rep = r.repOf(p.customer)
	p.orders = partOf(r, "orders", orderColumns, id, within(days, store.Access.OrdersOfCustomer))
	p.invoices = partOf(r, "invoices", r.invoiceColumns(), id, within(days, store.Access.InvoicesOfCustomer))
	p.notes = partOf(r, "credit-notes", creditNoteColumns, id, within(days, store.Access.CreditNotesOfCustomer))
	p.products = partOf(r, "products", orderItemColumns, id, within(days, store.Access.ProductsOfCustomer))
	p.events = partOf(r, "", eventColumns, id, store.Access.EventsOfCustomer)
	p.rented = r.rented(q, id)
	p.same = r.samePerson(id)
	p.debt.fetch = func(ctx context.Context) (store.Debt, error) { return r.shop.DebtOf(ctx, id) }
	p.billing.fetch = func(ctx context.Context) (store.Billing, error) { return r.shop.BillingOf(ctx, id) }
	return respondDetail(r, q, detailPage{
		path:  views.CustomerPath(id),
		lists: append(p.rented.lists(), p.orders, p.invoices, p.notes, p.products, p.events),
		parts: []pagePart{p.rep, &p.debt, &p.billing, p.rented.paid, p.same},
		page: func() templ.Component {
			v := p.view()
			v.Page, v.From, v.To = r.page(cmp.Or(p.customer.Name, id)), queryInput(q, "from"), queryInput(q, "to")
			v.CanEdit, v.CanNote, v.Token = r.user.May(store.EditCustomers), r.user.May(store.WriteNotes), r.newFormToken()
			return views.CustomerPage(v)
		},
		json: p.json,
	})
}

// within returns a function that calls ask with the given days. Only rows in this range of
// days are then read.
func within[T any](days store.DateRange, ask func(store.Access, context.Context, string, store.DateRange, store.Page) (store.List[T], error)) func(store.Access, context.Context, string, store.Page) (store.List[T], error) {
	return func(a store.Access, ctx context.Context, id string, p store.Page) (store.List[T], error) {
		return ask(a, ctx, id, days, p)
	}
}

// repOf returns the part of the page with the customer's account rep. The part contains nil
// if the customer has no rep.
func (r *request) repOf(c store.Customer) *single[*store.Employee] {
	return &single[*store.Employee]{fetch: func(ctx context.Context) (rep *store.Employee, err error) {
		if c.AccountRepID == "" {
			return rep, nil
		}
		found, err := r.shop.Related(ctx, store.RelatedIDs{Employees: []string{c.AccountRepID}})
		return found.Employees[c.AccountRepID], err
	}}
}

func (p *customerPage) view() views.Customer {
	billing := &p.billing.found
	missing := p.orders.failed != nil || p.invoices.failed != nil || p.notes.failed != nil || p.events.failed != nil || p.rented.all.failed != nil || p.rented.paid.failed != nil || p.billing.failed != nil
	return views.Customer{
		Customer: views.Single[store.Customer]{Found: p.customer, Failed: p.profile.failed != nil}, Rep: p.rep.view(), Same: p.same.view(), Debt: p.debt.view(),
		Orders: p.orders.view(), Invoices: p.invoices.view(), CreditNotes: p.notes.view(), Products: p.products.view(), Rented: p.rented.view(),
		NextPayment:   views.Single[*store.Subscription]{Found: billing.Next(), Failed: p.billing.failed != nil},
		Subscriptions: accountPart(p, "subscriptions", billing.Subscriptions), Receipts: accountPart(p, "receipts", billing.Receipts),
		Newest: store.NewestEntries(
			partRows, store.TimelineEntries(p.orders.found.Rows), store.TimelineEntries(p.invoices.found.Rows), store.TimelineEntries(p.notes.found.Rows), store.TimelineEntries(p.events.found.Rows),
			store.TimelineEntries(p.rented.all.found.Rows), store.TimelineEntries(p.rented.paid.found.Rows), store.TimelineEntries(billing.Receipts), store.TimelineEntries(billing.Events),
		),
		NewestLack: missing,
	}
}

// accountPart returns the first rows of a list that belongs to the customer's billing
// account. It links to the complete list on the page of the account.
func accountPart[T any](p *customerPage, list string, rows []T) views.Part[T] {
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
		Debt        store.Debt
		Orders      firstRows[store.Order]
		Invoices    firstRows[store.Invoice]
		CreditNotes firstRows[store.CreditNote]
		Products    firstRows[store.OrderItem]
		rentedJSON
		Subscriptions firstRows[store.Subscription]
		Receipts      firstRows[store.Receipt]
	}{
		&p.customer, p.debt.found, p.orders.json(), p.invoices.json(), p.notes.json(), p.products.json(), p.rented.json(),
		firstRows[store.Subscription]{append([]store.Subscription{}, billing.Subscriptions...), billing.More, nil},
		firstRows[store.Receipt]{append([]store.Receipt{}, billing.Receipts...), billing.More, nil},
	}
}

func showTimeline(r *request) error {
	q, err := r.query()
	if err != nil {
		return err
	}
	customer, err := r.shop.Customer(r.ctx(), r.id())
	if err != nil {
		return err
	}
	return respondList(r, q, listPage[store.TimelineEntry]{
		file: "timeline", columns: timelineColumns, newestFirst: true,
		fetch: func(ctx context.Context, p store.Page) (store.List[store.TimelineEntry], error) {
			return r.shop.Timeline(ctx, customer.ID, p)
		},
		page: func(l views.List, rows []store.TimelineEntry) templ.Component {
			return views.TimelinePage(views.Timeline{Page: r.page("Timeline of " + cmp.Or(customer.Name, customer.ID)), List: l, Customer: *customer, Rows: rows})
		},
	})
}
