package handlers

import (
	"time"

	"stockroom/store"
	"stockroom/views"
)

func readPastOrder(r *request, ids []string, at time.Time) (*pastRecord, error) {
	found, err := r.shop.OrderAt(r.ctx(), ids[0], at)
	if err != nil {
		return nil, err
	}
	if !r.wantsFile() {
		ids := store.RelatedIDs{Employees: []string{found.Order.AccountRepID}}
		for i := range found.Order.Shipments {
			ids.Warehouses = append(ids.Warehouses, found.Order.Shipments[i].WarehouseID)
		}
		if err := r.relate(ids); err != nil {
			return nil, err
		}
	}
	return &pastRecord{past: found.Past, state: found.Order, view: func(p *views.Page) views.PastRecord { return views.PastOrder(p, found) }}, nil
}

func readPastInvoice(r *request, ids []string, at time.Time) (*pastRecord, error) {
	found, err := r.shop.InvoiceAt(r.ctx(), ids[0], at)
	if err != nil {
		return nil, err
	}
	return &pastRecord{past: found.Past, state: found.Invoice, view: func(p *views.Page) views.PastRecord { return views.PastInvoice(p, found) }}, nil
}
