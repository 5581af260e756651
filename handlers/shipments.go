package handlers

import (
	"cmp"
	"context"
	"slices"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

// listShipments lists shipments of one status, those that wait to be sent
// where none is named, or those of one warehouse. A warehouse is a key of its
// own, which neither status nor days narrow; who is in charge of some
// warehouses only always looks at one of them.
func listShipments(r *request) error {
	q, err := r.query("warehouse", "status", "from", "to")
	if err != nil {
		return err
	}
	ownOnly := !r.user.InCharge("")
	f := store.ShipmentFilter{WarehouseID: q.Get("warehouse")}
	if ownOnly && f.WarehouseID == "" && len(r.user.Warehouses) > 0 {
		f.WarehouseID = r.user.Warehouses[0]
	}
	ofOne := ownOnly || f.WarehouseID != ""
	if !ofOne {
		f.Status = cmp.Or(web.OneOf(q, "status", store.ShipmentStatuses), store.ShipmentPacked)
		f.DateRange = r.days(q)
	}
	var warehouses store.List[store.Warehouse]
	if !r.file() {
		if warehouses, err = r.shop.Warehouses(r.ctx(), store.Page{Limit: store.MaxLimit}); err != nil {
			return err
		}
	}
	reverse := q.Reverse() != ofOne // the IDs of a warehouse's shipments grow: the newest is last
	return answerList(r, q, listing[store.Shipment]{
		file: "shipments", columns: shipmentColumns, newest: ofOne, turns: !ofOne,
		ask: func(ctx context.Context, p store.Page) (store.List[store.Shipment], error) {
			if ofOne && f.WarehouseID == "" {
				return store.List[store.Shipment]{}, nil
			}
			return r.shop.Shipments(ctx, f, reverse, p)
		},
		page: func(l views.List, rows []store.Shipment) templ.Component {
			if ofOne {
				l.Params = slices.DeleteFunc(l.Params, func(p ui.Param) bool { return slices.Contains([]string{"status", "from", "to"}, p.Name) })
			}
			return views.ShipmentsPage(views.Shipments{
				Page: r.page("Shipments"), List: l, Status: f.Status, Warehouse: ui.Input{Value: f.WarehouseID},
				Warehouses: warehouses.Rows, OwnOnly: ownOnly, From: field(q, "from"), To: field(q, "to"), Rows: rows,
			})
		},
	})
}

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
	return answerThing(r, q, thing{
		path: views.ShipmentPath(parcel.ID),
		page: func() templ.Component {
			return views.ShipmentPage(views.Shipment{
				Page: r.page("Shipment " + parcel.ID), Parcel: *parcel, Warehouse: warehouse,
				MayMove: r.user.May(store.Ship) && parcel.Next() != "",
			})
		},
		json: func() any { return parcel },
		reads: []func(context.Context) error{func(ctx context.Context) error {
			return ifThere(&warehouse)(r.shop.Warehouse(ctx, parcel.WarehouseID))
		}},
	})
}
