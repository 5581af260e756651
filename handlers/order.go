package handlers

import (
	"cmp"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
)

func showOrder(r *request) error {
	q, err := r.query()
	if err != nil {
		return err
	}
	order, err := r.shop.Order(r.ctx(), r.id())
	if err != nil {
		return err
	}
	return respondDetail(r, q, detailPage{
		path: views.OrderPath(order.ID),
		json: func() any { return order },
		related: func() store.RelatedIDs {
			ids := store.RelatedIDs{Customers: []string{order.CustomerID}, Employees: []string{order.AccountRepID}}
			for i := range order.Shipments {
				ids.Warehouses = append(ids.Warehouses, order.Shipments[i].WarehouseID)
			}
			return ids
		},
		page: func() templ.Component {
			page := views.Order{
				Page: r.page("Order " + order.ID), Order: *order, CanFinish: r.user.May(store.Sell), CanNote: r.user.May(store.WriteNotes),
				CanShip: r.user.MayInWarehouse(store.Ship) && order.CanShip(), CanCancel: r.user.May(store.Sell) && order.CanCancel(),
				CanReturn: r.user.May(store.Sell) && r.shop.CanReturnItems(order),
				CanUnpack: r.user.May(store.Ship),
				CanCopy:   r.user.May(store.Sell), CanEdit: r.user.May(store.Sell) && order.CanEdit(), CanEditAddress: r.user.May(store.Sell) && order.CanChangeShipTo(),
			}
			if page.CanFinish || page.CanNote {
				page.Token = r.newFormToken()
			}
			return views.OrderPage(page)
		},
	})
}

func showOrderItem(r *request) error {
	q, err := r.query()
	if err != nil {
		return err
	}
	line, err := r.shop.OrderItem(r.ctx(), r.id(), r.param("product"))
	if err != nil {
		return err
	}
	return respondDetail(r, q, detailPage{
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
	return r.show(views.PackingSlipPage(views.PackingSlip{Page: r.page("Packing slip of order " + order.ID), Order: *order, Company: r.settings.Company}))
}

func listOrderItems(r *request) error {
	rows, err := r.shop.OrderItems(r.ctx(), r.id())
	return respondRows(r, "items", orderItemColumns, rows, err, func(id string) templ.Component {
		return views.OrderItemsPage(views.OrderItems{Page: r.page("Items of order " + id), OrderID: id, Rows: rows})
	})
}

func listOrderInvoices(r *request) error {
	rows, err := r.shop.InvoicesOfOrder(r.ctx(), r.id())
	return respondRows(r, "invoices", r.invoiceColumns(), rows, err, func(id string) templ.Component {
		return views.OrderInvoicesPage(views.OrderInvoices{Page: r.page("Invoices of order " + id), OrderID: id, Rows: rows})
	})
}

func listOrderShipments(r *request) error {
	rows, err := r.shop.ShipmentsOfOrder(r.ctx(), r.id())
	if err == nil && !r.wantsFile() {
		err = r.relate(store.RelatedTo(rows))
	}
	return respondRows(r, "shipments", shipmentColumns, rows, err, func(id string) templ.Component {
		return views.OrderShipmentsPage(views.OrderShipments{Page: r.page("Shipments of order " + id), OrderID: id, Rows: rows})
	})
}

// finishOrderChange is like finishChange, for a change of an order that can lead to amounts
// to refund. The message also says which invoices have one.
func (r *request) finishOrderChange(err error, message, id string, rerender func(*store.Error) (templ.Component, error)) error {
	return r.finishChange(err, message+r.refundNote(err, id), views.OrderPath(id), rerender)
}

// refundNote returns sentences for the message after a change of an order: which of its
// invoices have an amount to refund. It reads the order, unless the change has failed.
func (r *request) refundNote(changed error, id string) string {
	if changed != nil {
		return ""
	}
	order, err := r.shop.OrderForChange(r.ctx(), id)
	if err != nil {
		r.site.tools.LogFailure(r.Context, "a message lacks the amounts to refund", err)
		return ""
	}
	return views.RefundNote(order.Invoices, r.settings.Currency, func(i *store.Invoice, amount store.Amount) bool {
		return r.user.CanRefundAmount(i, amount, r.settings)
	})
}
