package store

import (
	"context"

	"stockroom/store/key"
	"stockroom/store/table"
)

// ShipmentFilter selects shipments by warehouse, by status, or by both. The zero filter selects
// all shipments. The range of days is ignored if there is a warehouse and no status.
type ShipmentFilter struct {
	WarehouseID string
	Status      ShipmentStatus
	DateRange
}

// shipmentRounds is the maximum number of pages of shipments with a status that are read
// for one page of a warehouse's shipments with this status.
const shipmentRounds = 3

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

// Shipments lists the shipments with a status, oldest first, or all shipments of a
// warehouse, sorted by ID. Without a status and a warehouse, it lists all shipments in the
// order of ShipmentStatuses, and those with the same status oldest first. Managers must
// choose one of their own warehouses. reverse reverses the list.
//
// With a status and a warehouse, Shipments reads the shipments with this status and filters
// them, because no index contains both. A page may therefore end before it is full; see
// Position.Unread. The position of its end may then contain the date and the IDs of a shipment
// of another warehouse.
func (a Access) Shipments(ctx context.Context, f ShipmentFilter, reverse bool, page Page) (List[Shipment], error) {
	if err := a.require(Browse); err != nil {
		return List[Shipment]{}, err
	}
	if f.WarehouseID != "" || a.user.Role == Manager {
		if err := a.requireWarehouse(f.WarehouseID); err != nil {
			return List[Shipment]{}, err
		}
	}
	if f.WarehouseID != "" && f.Status == "" {
		q := table.Query{Pattern: getWarehouseShipment, Values: key.Map{"warehouseID": f.WarehouseID}, Reverse: reverse}
		return list(ctx, a.store, q, page, decodeAs[Shipment])
	}
	q, err := a.store.byStatus(ctx, getShipmentsByStatus, f.DateRange, string(f.Status))
	if err != nil {
		return List[Shipment]{}, err
	}
	q.Reverse = reverse
	if f.Status == "" {
		q.Segment = "status"
		for _, status := range ShipmentStatuses {
			q.Segments = append(q.Segments, string(status))
		}
	}
	if f.WarehouseID == "" {
		return list(ctx, a.store, q, page, decodeAs[Shipment])
	}
	found, err := a.store.filtered(ctx, q, page, shipmentRounds, func(row Row) (bool, error) {
		return row.Text("GSI2-PK") == "w#"+f.WarehouseID, nil // without decoding, so that errors name no shipments of other warehouses
	})
	if err != nil {
		return List[Shipment]{}, err
	}
	return decodeList(found, page, decodeAs[Shipment])
}
