package handlers

import (
	"context"
	"strconv"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// listTransfers lists the transfers in transit to one warehouse, or to all warehouses
// that the user may see. The parameter "show" selects overdue transfers, or transfers
// sent from these warehouses.
func listTransfers(r *request) error {
	q, err := r.query("warehouse", "show")
	if err != nil {
		return err
	}
	warehouses, err := r.shop.Warehouses(r.ctx(), store.AlsoArchived, store.Page{Limit: store.MaxLimit})
	if err != nil {
		return err
	}
	show := web.OneOf(q, "show", []string{showOverdue, views.ShowSent})
	f := store.TransferFilter{Warehouses: filteredWarehouses(q, warehouses.Rows), FromThem: show == views.ShowSent}
	if show == showOverdue {
		if f.LateOn, err = r.shop.Today(r.ctx()); err != nil {
			return err
		}
	}
	return respondList(r, q, listPage[store.Transfer]{
		file: "transfers", columns: transferColumns,
		fetch: func(ctx context.Context, p store.Page) (store.List[store.Transfer], error) {
			return r.shop.Transfers(ctx, f, p)
		},
		page: func(l views.List, rows []store.Transfer) templ.Component {
			return views.TransfersPage(views.Transfers{
				Page: r.page("Transfers"), List: l.NameWarehouses(warehouses.Rows), Show: show, Warehouse: queryInput(q, "warehouse"), Warehouses: warehouses.Rows, Rows: rows,
			})
		},
	})
}

var transferColumns = []web.Column[store.Transfer]{
	{Name: "TransferID", Cell: func(t store.Transfer) web.Cell { return web.Text(t.ID) }, Minor: true},
	{Name: "ProductID", Cell: func(t store.Transfer) web.Cell { return web.Text(t.ProductID) }, Minor: true},
	{Name: "Name", Cell: func(t store.Transfer) web.Cell { return web.Text(t.Name) }},
	referColumn("Source", func(t store.Transfer) string { return t.SourceID }),
	referColumn("Target", func(t store.Transfer) string { return t.TargetID }),
	{Name: "Sent", Cell: func(t store.Transfer) web.Cell { return calendarDay(t.Sent) }},
	{Name: "By", Cell: func(t store.Transfer) web.Cell { return web.Text(t.By) }, Minor: true},
	{Name: "Reason", Cell: func(t store.Transfer) web.Cell { return web.Text(t.Reason) }, Minor: true},
	{Name: "Quantity", Cell: func(t store.Transfer) web.Cell { return integer(t.Quantity) }},
	{Name: "Received", Cell: func(t store.Transfer) web.Cell { return integer(t.Received) }, Minor: true},
	{Name: "InTransit", Cell: func(t store.Transfer) web.Cell { return integer(t.InTransit()) }},
}

func showTransferForm(kind views.TransferChangeKind) func(*request) error {
	return func(r *request) error { return r.showForm(r.transferForm(kind)) }
}

// changeTransfer receives or cancels the transfer in the path.
func changeTransfer(kind views.TransferChangeKind) func(*request) error {
	return func(r *request) error {
		form, err := r.readForm(kind.Fields()...)
		if err != nil {
			return err
		}
		f := store.TransferForm{ProductID: r.id(), ID: r.param("transfer"), Seen: form.Version(), Token: form.Token(), Reason: form.Get("reason")}
		t, err := r.transferForChange(kind)
		if err != nil {
			return err
		}
		message, path := "Transfer cancelled.", views.StockPath(t.ProductID, t.SourceID)
		if kind == views.TransferCancel {
			err = r.shop.CancelTransfer(r.ctx(), f)
		} else {
			pieces := number(form, "quantity", &f.Wrong)
			err = r.shop.ReceiveTransfer(r.ctx(), f, pieces, form.Get("rest") == views.RestMissing)
			message, path = "Received "+countPieces(pieces)+".", views.StockPath(t.ProductID, t.TargetID)
		}
		return r.finishChange(err, message, path, r.rerender(form, r.transferForm(kind)))
	}
}

func (r *request) transferForChange(kind views.TransferChangeKind) (*store.TransferDetails, error) {
	if kind == views.TransferCancel {
		return r.shop.TransferForCancellation(r.ctx(), r.id(), r.param("transfer"))
	}
	return r.shop.TransferForReceipt(r.ctx(), r.id(), r.param("transfer"))
}

func (r *request) transferForm(kind views.TransferChangeKind) formPage {
	return func(form web.Form, rejected *store.Error) (templ.Component, error) {
		t, err := r.transferForChange(kind)
		if err != nil {
			return nil, err
		}
		p := views.TransferChange{
			Page: r.page(kind.Title()), Form: r.formState(form, rejected, t.Version), Kind: kind, Transfer: *t,
			Quantity: formInput(form, rejected, "quantity"), Rest: formInput(form, rejected, "rest"), Reason: formInput(form, rejected, "reason"),
		}
		if rejected == nil && kind == views.TransferReceive {
			p.Quantity.Value = strconv.Itoa(t.InTransit())
		}
		return views.TransferChangePage(p), nil
	}
}
