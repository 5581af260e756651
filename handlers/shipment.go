package handlers

import (
	"context"

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
	var warehouse *store.Warehouse
	return respondDetail(r, q, detailPage{
		path: views.ShipmentPath(shipment.ID),
		page: func() templ.Component {
			return views.ShipmentPage(views.Shipment{
				Page: r.page("Shipment " + shipment.ID), Shipment: *shipment, Warehouse: warehouse,
				CanMove: r.user.May(store.Ship) && shipment.Next() != "",
			})
		},
		json: func() any { return shipment },
		reads: []func(context.Context) error{func(ctx context.Context) error {
			return ifFound(&warehouse)(r.shop.Warehouse(ctx, shipment.WarehouseID))
		}},
	})
}
