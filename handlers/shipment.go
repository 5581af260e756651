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
	parcel, err := r.shop.Shipment(r.ctx(), r.id())
	if err != nil {
		return err
	}
	var warehouse *store.Warehouse
	return respondDetail(r, q, detailPage{
		path: views.ShipmentPath(parcel.ID),
		page: func() templ.Component {
			return views.ShipmentPage(views.Shipment{
				Page: r.page("Shipment " + parcel.ID), Parcel: *parcel, Warehouse: warehouse,
				CanMove: r.user.May(store.Ship) && parcel.Next() != "",
			})
		},
		json: func() any { return parcel },
		reads: []func(context.Context) error{func(ctx context.Context) error {
			return ifFound(&warehouse)(r.shop.Warehouse(ctx, parcel.WarehouseID))
		}},
	})
}
