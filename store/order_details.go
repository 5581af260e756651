package store

import (
	"context"

	"stockroom/store/key"
)

// OrderDetails is an order with its parts, read with one Query of its partition.
type OrderDetails struct {
	Order
	Items     []OrderItem
	Invoices  []Invoice // earliest first
	Shipments []ShipmentDetails
	Events    []Event `json:",omitempty"`

	CreditNotes []CreditNote `json:",omitempty"`
}

// ShipmentDetails is a shipment with its items.
type ShipmentDetails struct {
	Shipment
	Items []ShipmentItem
}

// Order returns an order with its parts, or NotFound. Managers see only the
// shipments of their own warehouses.
func (a Access) Order(ctx context.Context, id string) (*OrderDetails, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	items, err := a.store.table.Partition(ctx, getOrderDetails, key.Map{"orderID": id}, false)
	if err != nil {
		return nil, err
	}
	details, err := assembleOrder(items)
	if err != nil {
		return nil, err
	}
	if details.ID == "" {
		return nil, orderNotFound(id)
	}
	details.Shipments = a.ownShipments(details.Shipments)
	return details, nil
}

// OrderItems returns the lines of an order, or NotFound.
func (a Access) OrderItems(ctx context.Context, orderID string) ([]OrderItem, error) {
	return orderParts(ctx, a, getOrderProducts, orderID, decodeAs[OrderItem])
}

// OrderItem returns the order line for a product, or NotFound.
func (a Access) OrderItem(ctx context.Context, orderID, productID string) (*OrderItem, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	return readOne[*OrderItem](ctx, a.store, getOrderItem, key.Map{"orderID": orderID, "productID": productID})
}

// InvoicesOfOrder returns the invoices of an order, earliest first, or NotFound.
func (a Access) InvoicesOfOrder(ctx context.Context, orderID string) ([]Invoice, error) {
	invoices, err := orderParts(ctx, a, getOrderInvoices, orderID, decodeAs[Invoice])
	sortInvoices(invoices)
	return invoices, err
}

// ShipmentsOfOrder returns the shipments of an order, without their items, or
// NotFound. Managers see only the shipments of their own warehouses.
func (a Access) ShipmentsOfOrder(ctx context.Context, orderID string) ([]Shipment, error) {
	all, err := orderParts(ctx, a, getOrderShipments, orderID, decodeAs[Shipment])
	var own []Shipment
	for _, s := range all {
		if a.user.InCharge(s.WarehouseID) {
			own = append(own, s)
		}
	}
	return own, err
}

// orderParts reads one kind of part of an order. If it finds none and the order does
// not exist, it returns NotFound.
func orderParts[T any](ctx context.Context, a Access, p *Pattern, orderID string, decode func(Row, *T) error) ([]T, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	items, err := a.store.table.Partition(ctx, p, key.Map{"orderID": orderID}, false)
	if err == nil && len(items) == 0 {
		_, err = a.Order(ctx, orderID)
	}
	return decodeAll(items, err, decode)
}

func orderNotFound(id string) error { return fail(NotFound, "Order %s not found.", id) }

// ownShipments returns the shipments from warehouses that the user may see.
func (a Access) ownShipments(shipments []ShipmentDetails) []ShipmentDetails {
	var own []ShipmentDetails
	for _, s := range shipments {
		if a.user.InCharge(s.WarehouseID) {
			own = append(own, s)
		}
	}
	return own
}

// assembleOrder decodes the rows in the partition of an order.
func assembleOrder(rows []Row) (*OrderDetails, error) {
	var details OrderDetails
	var shipped []ShipmentItem
	for _, row := range rows {
		entity, err := schema.DecodeRow(row)
		if err != nil {
			return nil, err
		}
		switch e := entity.(type) {
		case *Order:
			details.Order = *e
		case *OrderItem:
			details.Items = append(details.Items, *e)
		case *Invoice:
			details.Invoices = append(details.Invoices, *e)
		case *CreditNote:
			details.CreditNotes = append(details.CreditNotes, *e)
		case *Shipment:
			details.Shipments = append(details.Shipments, ShipmentDetails{Shipment: *e})
		case *ShipmentItem:
			shipped = append(shipped, *e)
		case *Event:
			details.Events = append(details.Events, *e)
		}
	}
	sortInvoices(details.Invoices)
	for i := range details.Shipments {
		s := &details.Shipments[i]
		for _, item := range shipped {
			if item.ShipmentID == s.ID {
				s.Items = append(s.Items, item)
			}
		}
	}
	return &details, nil
}
