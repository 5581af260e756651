package store

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"stockroom/store/key"
	"stockroom/store/table"
)

// Numbers of actions (writes and checks) in a transaction that creates a shipment.
const (
	shipmentActions     = savedActions + 4 // also the shipment, the search words of its ID and its tracking number, and the row of a bulk change
	shipmentLineActions = 4                // the order line, the shipment item, the stock item and the stock level
)

// MaxShipmentLines is the maximum number of lines of a shipment.
const MaxShipmentLines = (table.MaxActions - shipmentActions) / shipmentLineActions

// ShipmentRequest is a request to create a shipment.
type ShipmentRequest struct {
	OrderID     string
	Version     int // version of the order that the form showed
	WarehouseID string
	Quantities  map[string]int // quantities to ship by product ID; 0 for products that are not in the map
	Service     string         // shipping service, such as Express
	Carrier     string
	Tracking    string

	Wrong InputErrors // errors of quantities that could not be parsed
}

// Names of the form fields of a shipment, for errors. See also QuantityField.
const (
	FieldQuantities = "quantities"
	FieldWarehouse  = "warehouse"
	FieldService    = "service"
	FieldCarrier    = "carrier"
	FieldTracking   = "tracking"
)

// ShipItems creates a shipment of an order and takes its items from the stock of the
// warehouse, in one transaction. Managers can ship only from their own warehouses.
// ShipItems returns NotFound, or Conflict if the order has another version. It returns
// Invalid if the order has no delivery address, if the warehouse is missing or nothing is
// left to ship, if all quantities are missing, if there are too many lines, if a quantity
// exceeds the unshipped quantity or the stock, or if a text field is invalid.
func (a Access) ShipItems(ctx context.Context, r ShipmentRequest, token string) error {
	if err := a.RequireShipFrom(r.WarehouseID); err != nil {
		return err
	}
	r.check()
	return r.Wrong.Before(a.changeOrder(ctx, r.OrderID, token, func(o *orderChange) error {
		if err := requireVersion(r.Version, o.Version); err != nil {
			return err
		}
		return o.ship(ctx, r)
	}))
}

// ShipOpenItems creates one shipment of all items that an order still has to ship. Unlike
// ShipItems, it does not check the version of the order.
func (a Access) ShipOpenItems(ctx context.Context, orderID, warehouseID, token string) error {
	if err := a.RequireShipFrom(warehouseID); err != nil {
		return err
	}
	return a.changeOrder(ctx, orderID, token, func(o *orderChange) error { return o.shipOpenItems(ctx, warehouseID) })
}

func (o *orderChange) shipOpenItems(ctx context.Context, warehouseID string) error {
	r := ShipmentRequest{OrderID: o.ID, WarehouseID: warehouseID, Quantities: map[string]int{}}
	for i := range o.Items {
		if open := o.Items[i].Open(); open > 0 {
			r.Quantities[o.Items[i].ProductID] = open
		}
	}
	return o.ship(ctx, r)
}

// RequireShipFrom returns Forbidden or NotFound if the user may not ship from the
// warehouse. It returns Invalid if warehouseID is "".
func (a Access) RequireShipFrom(warehouseID string) error {
	if err := a.require(Ship); err != nil {
		return err
	}
	if warehouseID == "" {
		return InvalidField(FieldWarehouse, "Choose a warehouse to ship from.")
	}
	return a.requireWarehouse(warehouseID)
}

// check trims and checks the text fields of the request. It adds errors to r.Wrong.
func (r *ShipmentRequest) check() {
	for _, field := range []struct {
		name  string
		value *string
	}{{FieldService, &r.Service}, {FieldCarrier, &r.Carrier}, {FieldTracking, &r.Tracking}} {
		_ = r.Wrong.Add(checkLine(field.name, field.value)) // Add returns nil, because checkLine returns only Invalid
	}
}

const messageNoAddress = "This order has no delivery address. Add one before you pack the order."

func (o *orderChange) ship(ctx context.Context, r ShipmentRequest) error {
	if !o.CanShip() {
		return InvalidField("", "This order has no items left to ship.")
	}
	if o.NeedsAddress() {
		return InvalidField("", "%s", messageNoAddress)
	}
	id, err := o.newShipmentID()
	if err != nil {
		return err
	}
	wrong := slices.Clone(r.Wrong)
	if err := wrong.Add(o.requireLines(r.Quantities)); err != nil {
		return err
	}
	s := ShipmentDetails{Shipment: Shipment{
		ID:          id,
		OrderID:     o.ID,
		CustomerID:  o.CustomerID,
		WarehouseID: r.WarehouseID,
		Date:        o.store.now(),
		Type:        r.Service,
		Status:      ShipmentPacked,
		Address:     o.ShipTo,
		Carrier:     r.Carrier,
		Tracking:    r.Tracking,
		Version:     1,
	}}
	s.Items = o.shipLines(id, r.Quantities, &wrong)
	if wrong.Has(FieldQuantities) {
		return wrong.Err()
	}
	if err := o.takeFromStock(ctx, r, s.Items, &wrong); err != nil {
		return err
	}
	if err := wrong.Err(); err != nil {
		return err
	}
	before := o.ShipmentState
	o.Shipments = append(o.Shipments, s)
	o.updateState()
	o.recordOrderEvent(Event{What: EventOrderShipped, Subject: id, Before: string(before), After: string(o.ShipmentState)})
	return nil
}

// newShipmentID returns the ID of the next shipment, such as 261130-4GCRK33DTN-1: the day
// (yymmdd), the ID of the order, and the number of the shipment in the order. The list of a
// warehouse's shipments is sorted by ID, and therefore by day. newShipmentID skips numbers
// that an imported shipment or its items have. If the order has such a long ID that the ID
// of the shipment, or those of its items, would be too long, newShipmentID returns a ULID.
func (o *orderChange) newShipmentID() (string, error) {
	day := dayIn(o.store.now(), o.totals.zone).Format("060102")
	for n := len(o.Shipments) + 1; ; n++ {
		id := day + "-" + o.ID + "-" + strconv.Itoa(n)
		if len(shipmentItemID(id, MaxShipmentLines)) > key.MaxID {
			return o.store.ids.New()
		}
		isTaken := func(s ShipmentDetails) bool {
			return s.ID == id || slices.ContainsFunc(s.Items, func(i ShipmentItem) bool { return strings.HasPrefix(i.ID, id+"-") })
		}
		if !slices.ContainsFunc(o.Shipments, isTaken) {
			return id, nil
		}
	}
}

// shipmentItemID returns the ID of the item of a shipment with this number, from 1.
func shipmentItemID(shipmentID string, number int) string {
	return shipmentID + "-" + strconv.Itoa(number)
}

// shipLines adds the shipped quantities to the lines. It adds errors about quantities to the
// argument wrong. It returns the items of the shipment.
func (o *orderChange) shipLines(shipmentID string, quantities map[string]int, wrong *InputErrors) []ShipmentItem {
	var items []ShipmentItem
	for i := range o.Items {
		line := &o.Items[i]
		n := quantities[line.ProductID]
		if n == 0 {
			continue
		}
		if n < 0 || n > line.Open() {
			wrong.Reject(QuantityField(line.ProductID), "Enter 0 to %d.", line.Open())
			continue
		}
		line.Shipped += n
		items = append(items, ShipmentItem{
			ID:         shipmentItemID(shipmentID, len(items)+1),
			OrderID:    o.ID,
			ShipmentID: shipmentID,
			ProductID:  line.ProductID,
			Name:       line.Name,
			Quantity:   n,
			Version:    1,
		})
	}
	switch {
	case len(items) == 0 && !slices.ContainsFunc(*wrong, isAboutQuantity):
		wrong.Reject(FieldQuantities, "Enter a quantity for at least one item.")
	case len(items) > MaxShipmentLines:
		wrong.Reject(FieldQuantities, "A shipment can have at most %d lines. Ship the others separately.", MaxShipmentLines)
	}
	return items
}

// requireLines returns Invalid if a quantity is for a product that is not in the
// order.
func (o *orderChange) requireLines(quantities map[string]int) error {
	for product := range quantities {
		if !slices.ContainsFunc(o.Items, func(i OrderItem) bool { return i.ProductID == product }) {
			return InvalidField(FieldQuantities, "This order does not contain product %s.", product)
		}
	}
	return nil
}
