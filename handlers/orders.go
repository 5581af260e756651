package handlers

import (
	"cmp"
	"context"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
)

func listOrders(r *request) error {
	q, err := readByStatus(r, store.OrderStatuses)
	if err != nil {
		return err
	}
	f := store.OrderFilter{Status: q.status, DateRange: q.days}
	return answerList(r, q.Query, listing[store.Order]{
		file: "orders", columns: orderColumns, newest: q.status == "", turns: true,
		ask: func(ctx context.Context, p store.Page) (store.List[store.Order], error) {
			return r.shop.Orders(ctx, f, q.reverse, p)
		},
		page: func(l views.List, rows []store.Order) templ.Component {
			return views.OrdersPage(views.Orders{Page: r.page("Orders"), List: l, Status: q.status, From: q.from, To: q.to, Rows: rows, MaySell: r.user.May(store.Sell), MayShip: r.user.May(store.Ship)})
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
			return views.OrderPage(views.Order{
				Page: r.page("Order " + order.ID), Order: *order, LeadsToRep: r.user.InChargeOfAll(), Once: r.token(), MayNote: r.user.May(store.WriteNotes),
				MayShip: r.user.May(store.Ship) && order.CanShip(), MayCancel: r.user.May(store.Sell) && order.CanCancel(),
				MayTakeBack: r.user.May(store.TakeReturns) && r.shop.CanTakeBack(order),
			})
		},
	})
}

// showOrderItem shows one line of an order.
func showOrderItem(r *request) error {
	q, err := r.query()
	if err != nil {
		return err
	}
	line, err := r.shop.OrderItem(r.ctx(), r.id(), r.param("product"))
	if err != nil {
		return err
	}
	return answerThing(r, q, thing{
		path: views.OrderItemPath(line.OrderID, line.ProductID),
		json: func() any { return line },
		page: func() templ.Component {
			return views.OrderItemPage(views.OrderItem{Page: r.page(cmp.Or(line.Name, line.ProductID)), Line: *line})
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
