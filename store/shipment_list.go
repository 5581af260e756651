package store

import (
	"context"

	"stockroom/store/key"
	"stockroom/store/table"
)

// ShipmentFilter narrows the list of shipments: to a warehouse, or to a
// status and a range of days.
type ShipmentFilter struct {
	WarehouseID string
	Status      ShipmentStatus
	DateRange
}

// Shipment finds a shipment by ID, with what is in it.
func (a Access) Shipment(ctx context.Context, id string) (*ShipmentDetails, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	items, err := a.store.table.Partition(ctx, getShipmentDetails, key.Map{"shipmentID": id}, false)
	if err != nil {
		return nil, err
	}
	details, err := assembleOrder(items)
	if err != nil {
		return nil, err
	}
	own := a.ownShipments(details.Shipments)
	if len(own) == 0 {
		return nil, fail(NotFound, "There is no shipment %s.", id)
	}
	return &own[0], nil
}

// Shipments lists shipments of one status, oldest first, or those of one
// warehouse. A manager has to name a warehouse, and one of their own: the
// list of a status holds everybody's.
func (a Access) Shipments(ctx context.Context, f ShipmentFilter, reverse bool, page Page) (List[Shipment], error) {
	if err := a.require(Browse); err != nil {
		return List[Shipment]{}, err
	}
	q := table.Query{Pattern: getWarehouseShipment, Values: key.Map{"warehouseID": f.WarehouseID}}
	if f.WarehouseID != "" || a.user.Role == Manager {
		if err := a.requireWarehouse(f.WarehouseID); err != nil {
			return List[Shipment]{}, err
		}
	} else {
		var err error
		if q, err = a.store.byStatus(ctx, getShipmentsByStatus, f.DateRange, string(f.Status)); err != nil {
			return List[Shipment]{}, err
		}
	}
	q.Reverse = reverse
	return list(ctx, a.store, q, page, decodeAs[Shipment])
}
