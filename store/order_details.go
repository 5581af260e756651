package store

import (
	"cmp"
	"context"
	"slices"

	"stockroom/store/key"
	"stockroom/store/table"
)

// OrderDetails is an order with its lines, invoices, shipments, events and credit notes.
// They are all in one partition, so one Query reads them.
type OrderDetails struct {
	Order
	Items     []OrderItem
	Invoices  []Invoice         // earliest first
	Shipments []ShipmentDetails // earliest first
	Events    []Event           `json:",omitempty"`

	CreditNotes []CreditNote `json:",omitempty"`
}

// ShipmentDetails is a shipment with its items.
type ShipmentDetails struct {
	Shipment
	Items []ShipmentItem
}

// Unpacked returns the event that records when, by whom and why a shipment was unpacked, or
// nil if there is none, as for an imported shipment.
func (d *OrderDetails) Unpacked(shipmentID string) *Event {
	var last *Event
	for i := range d.Events {
		if e := &d.Events[i]; e.What == EventShipmentUnpacked && e.Subject == shipmentID && (last == nil || e.When.After(last.When)) {
			last = e
		}
	}
	return last
}

// PackedShipments returns the shipments that have not left their warehouses.
func (d *OrderDetails) PackedShipments() []ShipmentDetails {
	return slices.DeleteFunc(slices.Clone(d.Shipments), func(s ShipmentDetails) bool { return s.Status != ShipmentPacked })
}

// Order returns an order with its lines, invoices, shipments, events and credit notes, or
// NotFound. Managers see only the shipments of their own warehouses.
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

// ShipmentsOfOrder returns the shipments of an order, without their items, earliest first,
// or NotFound. Managers see only the shipments of their own warehouses.
func (a Access) ShipmentsOfOrder(ctx context.Context, orderID string) ([]Shipment, error) {
	all, err := orderParts(ctx, a, getOrderShipments, orderID, decodeAs[Shipment])
	var own []Shipment
	for _, s := range all {
		if a.user.InCharge(s.WarehouseID) {
			own = append(own, s)
		}
	}
	slices.SortStableFunc(own, compareShipments)
	return own, err
}

// compareShipments compares shipments of an order by date. It compares shipments with the
// same date by ID, shorter IDs first, so that the shipment -2 comes before -10.
func compareShipments(a, b Shipment) int {
	return cmp.Or(a.Date.Compare(b.Date), cmp.Compare(len(a.ID), len(b.ID)), cmp.Compare(a.ID, b.ID))
}

// orderParts reads all items of one kind of an order, such as its lines. It returns
// NotFound if the order does not exist.
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

func (a Access) ownShipments(shipments []ShipmentDetails) []ShipmentDetails {
	var own []ShipmentDetails
	for _, s := range shipments {
		if a.user.InCharge(s.WarehouseID) {
			own = append(own, s)
		}
	}
	return own
}

// assembleOrder decodes the rows in the partition of an order. The ID of the result is ""
// if the partition does not contain the order itself.
func assembleOrder(rows []Row) (*OrderDetails, error) {
	var details OrderDetails
	var shipped []ShipmentItem
	count := make(map[string]int, 8)
	for _, row := range rows {
		count[row.Text(table.AttrType)]++
	}
	for _, row := range rows {
		entityType := row.Text(table.AttrType)
		var into Entity
		switch n := count[entityType]; entityType {
		case details.EntityType():
			into = &details.Order
		case (*OrderItem)(nil).EntityType():
			into = appendEmpty(&details.Items, n)
		case (*Invoice)(nil).EntityType():
			into = appendEmpty(&details.Invoices, n)
		case (*CreditNote)(nil).EntityType():
			into = appendEmpty(&details.CreditNotes, n)
		case (*Shipment)(nil).EntityType():
			into = &appendEmpty(&details.Shipments, n).Shipment
		case (*ShipmentItem)(nil).EntityType():
			into = appendEmpty(&shipped, n)
		case (*Event)(nil).EntityType():
			into = appendEmpty(&details.Events, n)
		default:
			if _, err := schema.DecodeRow(row); err != nil {
				return nil, err
			}
			continue
		}
		if err := schema.DecodeInto(row, into); err != nil {
			return nil, err
		}
	}
	sortInvoices(details.Invoices)
	slices.SortStableFunc(details.Shipments, func(a, b ShipmentDetails) int { return compareShipments(a.Shipment, b.Shipment) })
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

// appendEmpty appends an empty element to a slice and returns a pointer to it. If the slice
// is nil, appendEmpty allocates it with room for n elements.
func appendEmpty[T any](slice *[]T, n int) *T {
	if *slice == nil {
		*slice = make([]T, 0, n)
	}
	*slice = append(*slice, *new(T))
	return &(*slice)[len(*slice)-1]
}
