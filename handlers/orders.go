package handlers

import (
	"context"
	"time"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

// recentMonths is how far a list of everything reaches back where nobody says
// how far: months that are long over are asked for by name.
const recentMonths = 3

// recent narrows a list without status and days to its last months, from the
// first day of one, and has the form say so.
func (r *request) recent(q *web.Query, days *store.DateRange, from *ui.Input) {
	if q.Get("status") != "" || q.Get("from") != "" || q.Get("to") != "" {
		return
	}
	now := r.now()
	days.From = time.Date(now.Year(), now.Month()-recentMonths+1, 1, 0, 0, 0, 0, time.UTC)
	from.Value = days.From.Format(time.DateOnly)
}

func listOrders(r *request) error {
	q, err := r.query("status", "from", "to")
	if err != nil {
		return err
	}
	f := store.OrderFilter{Status: web.OneOf(q, "status", store.OrderStatuses), DateRange: r.days(q)}
	from := field(q, "from")
	r.recent(q, &f.DateRange, &from)
	reverse := q.Reverse()
	return answerList(r, q, listing[store.Order]{
		file: "orders", columns: orderColumns, newest: f.Status == "", turns: true,
		ask: func(ctx context.Context, p store.Page) (store.List[store.Order], error) {
			return r.shop.Orders(ctx, f, reverse, p)
		},
		page: func(l views.List, rows []store.Order) templ.Component {
			return views.OrdersPage(views.Orders{Page: r.page("Orders"), List: l, Status: f.Status, From: from, To: field(q, "to"), Rows: rows})
		},
	})
}

func showOrder(r *request) error {
	q, err := r.query()
	if err != nil {
		return err
	}
	order, err := r.shop.Order(r.ctx(), r.id())
	if err != nil {
		return err
	}
	return answerThing(r, q, thing{
		path: views.OrderPath(order.ID),
		json: func() any { return order },
		page: func() templ.Component {
			return views.OrderPage(views.Order{Page: r.page("Order " + order.ID), Order: *order})
		},
	})
}

func showPackingSlip(r *request) error {
	order, err := r.shop.Order(r.ctx(), r.id())
	if err != nil {
		return err
	}
	return r.show(views.PackingSlipPage(views.PackingSlip{Page: r.page("Packing slip of order " + order.ID), Order: *order}))
}

func listOrderItems(r *request) error {
	rows, err := r.shop.OrderItems(r.ctx(), r.id())
	return answerWhole(r, "items", orderItemColumns, rows, err, func(id string) templ.Component {
		return views.OrderItemsPage(views.OrderItems{Page: r.page("Items of order " + id), OrderID: id, Rows: rows})
	})
}

func listOrderInvoices(r *request) error {
	rows, err := r.shop.InvoicesOfOrder(r.ctx(), r.id())
	return answerWhole(r, "invoices", invoiceColumns, rows, err, func(id string) templ.Component {
		return views.OrderInvoicesPage(views.OrderInvoices{Page: r.page("Invoices of order " + id), OrderID: id, Rows: rows})
	})
}

func listOrderShipments(r *request) error {
	rows, err := r.shop.ShipmentsOfOrder(r.ctx(), r.id())
	return answerWhole(r, "shipments", shipmentColumns, rows, err, func(id string) templ.Component {
		return views.OrderShipmentsPage(views.OrderShipments{Page: r.page("Shipments of order " + id), OrderID: id, Rows: rows})
	})
}
