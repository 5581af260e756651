package store

import (
	"context"

	"stockroom/store/key"
	"stockroom/store/table"
)

// ShipmentFilter selects shipments by warehouse, or by status and days.
type ShipmentFilter struct {
	WarehouseID string
	Status      ShipmentStatus
	DateRange
}

// Shipment returns a shipment with its items, or NotFound.
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
		return nil, shipmentNotFound(id)
	}
	return &own[0], nil
}

func shipmentNotFound(id string) error { return fail(NotFound, "Shipment %s not found.", id) }

// Shipments lists the shipments with a status, oldest first, or the shipments of a
// warehouse. Managers must choose one of their own warehouses, because a list by
// status includes all warehouses. reverse reverses the list.
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
