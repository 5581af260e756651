package store

import (
	"context"

	"stockroom/store/key"
	"stockroom/store/table"
)

// OrderDetails are an order's whole story, in one Query of its partition.
type OrderDetails struct {
	Order
	Items     []OrderItem
	Invoices  []Invoice
	Shipments []ShipmentDetails
	Events    []Event `json:",omitempty"`
}

// ShipmentDetails is a shipment with what is in it.
type ShipmentDetails struct {
	Shipment
	Items []ShipmentItem
}

// OrderFilter narrows the list of orders: to a status, to a range of days.
type OrderFilter struct {
	Status OrderStatus
	DateRange
}

// Order reads everything of one order. A manager sees the parcels of their
// own warehouses only.
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
		return nil, fail(NotFound, "There is no order %s.", id)
	}
	details.Shipments = a.ownShipments(details.Shipments)
	return details, nil
}

// OrderItems lists an order's lines alone.
func (a Access) OrderItems(ctx context.Context, orderID string) ([]OrderItem, error) {
	return orderParts(ctx, a, getOrderProducts, orderID, decodeAs[OrderItem])
}

// OrderItem finds the line of an order for a product.
func (a Access) OrderItem(ctx context.Context, orderID, productID string) (*OrderItem, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	return readOne[*OrderItem](ctx, a.store, getOrderItem, key.Map{"orderID": orderID, "productID": productID})
}

// InvoicesOfOrder lists an order's invoices alone.
func (a Access) InvoicesOfOrder(ctx context.Context, orderID string) ([]Invoice, error) {
	return orderParts(ctx, a, getOrderInvoices, orderID, decodeAs[Invoice])
}

// ShipmentsOfOrder lists an order's shipments alone, without their items.
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

// partOfOrder reads one kind of what belongs to an order. Where there is none
// of it, the order itself says whether it is there at all.
func orderParts[T any](ctx context.Context, a Access, p *Pattern, orderID string, decode func(Item, *T) error) ([]T, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	items, err := a.store.table.Partition(ctx, p, key.Map{"orderID": orderID}, false)
	if err == nil && len(items) == 0 {
		_, err = a.Order(ctx, orderID)
	}
	return decodeAll(items, err, decode)
}

// Orders lists orders: of one status, oldest first, or of all, newest first.
// Reverse turns the order round.
func (a Access) Orders(ctx context.Context, f OrderFilter, reverse bool, page Page) (List[Order], error) {
	if err := a.require(Browse); err != nil {
		return List[Order]{}, err
	}
	q, err := a.byStatusOrMonth(ctx, getOrdersByStatus, getOrdersByMonth, string(f.Status), f.DateRange)
	if err != nil {
		return List[Order]{}, err
	}
	q.Reverse = reverse
	return list(ctx, a.store, q, page, decodeOrderRow)
}

// OrdersOfCustomer lists a customer's orders in a range of dates, newest
// first.
func (a Access) OrdersOfCustomer(ctx context.Context, customerID string, r DateRange, page Page) (List[Order], error) {
	return listOfCustomer(ctx, a, getCustomerOrders, customerID, r, page, decodeOrderRow)
}

// InvoicesOfCustomer lists a customer's invoices in a range of dates, newest
// first.
func (a Access) InvoicesOfCustomer(ctx context.Context, customerID string, r DateRange, page Page) (List[Invoice], error) {
	return listOfCustomer(ctx, a, getCustomerInvoices, customerID, r, page, decodeAs[Invoice])
}

// ProductsOfCustomer lists the order lines of a customer in a range of dates,
// newest first.
func (a Access) ProductsOfCustomer(ctx context.Context, customerID string, r DateRange, page Page) (List[OrderItem], error) {
	return listOfCustomer(ctx, a, getCustomerProducts, customerID, r, page, decodeAs[OrderItem])
}

// ofCustomer asks newest first: what a customer calls about is recent.
func listOfCustomer[T any](ctx context.Context, a Access, p *Pattern, customerID string, r DateRange, page Page, decode func(Item, *T) error) (List[T], error) {
	if err := a.require(Browse); err != nil {
		return List[T]{}, err
	}
	q, err := a.store.inRange(ctx, p, r, key.Map{"customerID": customerID})
	if err != nil {
		return List[T]{}, err
	}
	q.Reverse = true
	return list(ctx, a.store, q, page, decode)
}

func (a Access) byStatusOrMonth(ctx context.Context, byStatus, byMonth *Pattern, status string, r DateRange) (table.Query, error) {
	if status != "" {
		return a.store.byStatus(ctx, byStatus, r, status)
	}
	return a.store.byMonth(ctx, byMonth, r)
}

// ownParcels leaves out the parcels of warehouses that are not this user's.
func (a Access) ownShipments(parcels []ShipmentDetails) []ShipmentDetails {
	var own []ShipmentDetails
	for _, p := range parcels {
		if a.user.InCharge(p.WarehouseID) {
			own = append(own, p)
		}
	}
	return own
}

// assembleOrder sorts the items of an order's partition into its parts.
func assembleOrder(items []Item) (*OrderDetails, error) {
	var details OrderDetails
	var packed []ShipmentItem
	for _, item := range items {
		entity, err := Decode(item)
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
		case *Shipment:
			details.Shipments = append(details.Shipments, ShipmentDetails{Shipment: *e})
		case *ShipmentItem:
			packed = append(packed, *e)
		case *Event:
			details.Events = append(details.Events, *e)
		}
	}
	for i := range details.Shipments {
		parcel := &details.Shipments[i]
		for _, item := range packed {
			if item.ShipmentID == parcel.ID {
				parcel.Items = append(parcel.Items, item)
			}
		}
	}
	return &details, nil
}
