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

// listShipments lists the shipments with one status, by default packed, or all shipments,
// or the shipments from one warehouse, by default with all statuses. The list of a
// warehouse with all statuses cannot be filtered by date, because its index key contains
// no date. Managers always see the list of one of their warehouses.
func listShipments(r *request) error {
	q, err := r.query("warehouse", "status", "from", "to", views.ColumnsParam)
	if err != nil {
		return err
	}
	ownOnly := !r.user.InCharge("")
	f := store.ShipmentFilter{
		WarehouseID: q.Get("warehouse"),
		Status:      web.OneNamed(q, "status", append(slices.Clone(store.ShipmentStatuses), views.AllShipments), views.ShipmentFilterText),
	}
	all := f.Status == views.AllShipments
	if all {
		f.Status = ""
	}
	if ownOnly && f.WarehouseID == "" && len(r.user.Warehouses) > 0 {
		f.WarehouseID = r.user.Warehouses[0]
	}
	if !ownOnly && f.WarehouseID == "" && !all {
		f.Status = cmp.Or(f.Status, store.ShipmentPacked)
	}
	byStatus := f.Status != "" || f.WarehouseID == ""
	if byStatus {
		f.DateRange = r.days(q)
	}
	var warehouses store.List[store.Warehouse]
	if !r.wantsFile() {
		if warehouses, err = r.shop.Warehouses(r.ctx(), store.AlsoArchived, store.Page{Limit: store.MaxLimit}); err != nil {
			return err
		}
	}
	reverse := q.Reverse() == byStatus // the shipments of a warehouse are stored oldest first, so read them in reverse
	var older findOlder
	if !ownOnly && len(q.Params()) == 0 {
		older = func(*store.Position) (olderRows, error) { return otherShipments(r) }
	}
	return respondList(r, q, listPage[store.Shipment]{
		file: "shipments", columns: shipmentColumns, shown: views.ShipmentColumns, newestFirst: !byStatus, reversible: byStatus,
		older: older,
		fetch: func(ctx context.Context, p store.Page) (store.List[store.Shipment], error) {
			if ownOnly && f.WarehouseID == "" {
				return store.List[store.Shipment]{}, nil
			}
			return r.shop.Shipments(ctx, f, reverse, p)
		},
		page: func(l views.List, rows []store.Shipment) templ.Component {
			if !byStatus {
				l.Params = slices.DeleteFunc(l.Params, func(p ui.Param) bool { return slices.Contains([]string{"status", "from", "to"}, p.Name) })
			}
			return views.ShipmentsPage(views.Shipments{
				Page: r.page("Shipments"), List: l.NameWarehouses(warehouses.Rows), Status: f.Status, Warehouse: ui.Input{Value: f.WarehouseID},
				Warehouses: warehouses.Rows, OwnOnly: ownOnly, From: queryInput(q, "from"), To: queryInput(q, "to"), Rows: rows,
			})
		},
	})
}

// otherShipments finds shipments to which an empty list of packed shipments can link: those
// with the same status as the newest shipment.
func otherShipments(r *request) (olderRows, error) {
	newest, err := r.shop.NewestShipment(r.ctx())
	switch {
	case store.KindOf(err) == store.NotFound:
		return olderRows{}, nil
	case err != nil:
		return olderRows{}, err
	case newest.Status == store.ShipmentPacked:
		return olderRows{}, nil
	}
	return olderRows{
		Older:  views.Older{Status: string(newest.Status)},
		params: []ui.Param{{Name: "status", Value: string(newest.Status)}, {Name: "sort", Value: "reverse"}},
	}, nil
}
