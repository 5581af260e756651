package handlers

import (
	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
)

func showShipment(r *request) error {
	q, err := r.query()
	if err != nil {
		return err
	}
	shipment, err := r.shop.Shipment(r.ctx(), r.id())
	if err != nil {
		return err
	}
	canUnpack, isUnpacked := r.user.May(store.Ship) && shipment.CanUnpack(), shipment.Status == store.ShipmentUnpacked
	var order *store.OrderDetails // nil if the page does not need it, or if an import has left it out
	if (canUnpack || isUnpacked) && !r.wantsFile() {
		if err := ifFound(&order)(r.shop.Order(r.ctx(), shipment.OrderID)); err != nil {
			return err
		}
	}
	var unpacked *store.Event
	if isUnpacked && order != nil {
		unpacked = order.Unpacked(shipment.ID)
	}
	return respondDetail(r, q, detailPage{
		path: views.ShipmentPath(shipment.ID),
		page: func() templ.Component {
			return views.ShipmentPage(views.Shipment{
				Page: r.page("Shipment " + shipment.ID), Shipment: *shipment,
				CanMove: r.user.May(store.Ship) && shipment.Next() != "", CanUnpack: canUnpack && order != nil && order.CheckUnpack(shipment) == nil,
				Unpacked: unpacked,
			})
		},
		json:    func() any { return shipment },
		related: func() store.RelatedIDs { return store.RelatedTo([]store.Shipment{shipment.Shipment}) },
	})
}

func showShipmentSlip(r *request) error {
	shipment, err := r.shop.Shipment(r.ctx(), r.id())
	if err != nil {
		return err
	}
	order, err := r.shop.Order(r.ctx(), shipment.OrderID)
	if err != nil {
		return err
	}
	return r.show(views.ShipmentSlipPage(views.ShipmentSlip{
		Page: r.page("Packing slip of shipment " + shipment.ID), Order: *order, Shipment: *shipment, Company: r.settings.Company,
	}))
}
