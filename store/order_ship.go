package store

import (
	"context"
	"slices"
	"strconv"

	"golang.org/x/sync/errgroup"

	"stockroom/store/key"
	"stockroom/store/table"
)

// MaxShipmentLines is how many lines one shipment has at most: with item, stock
// and its trace each takes four of the hundred actions of a transaction.
const MaxShipmentLines = 20

// ShipmentRequest is what goes into a parcel.
type ShipmentRequest struct {
	OrderID     string
	Version     int // of the order, as the form showed it
	WarehouseID string
	Quantities  map[string]int // by product ID; of what is not named, nothing
	Service     string         // such as Express
	Carrier     string
	Tracking    string
}

// The fields of a parcel besides QuantityField, by the names under which their
// errors come back.
const (
	FieldQuantities = "quantities"
	FieldWarehouse  = "warehouse"
	FieldService    = "service"
	FieldCarrier    = "carrier"
	FieldTracking   = "tracking"
)

// ShipItems packs a parcel of an order in a warehouse: what it takes leaves the
// stock there and is no longer on order. A manager ships from their own
// warehouses.
func (a Access) ShipItems(ctx context.Context, p ShipmentRequest, once string) error {
	if err := a.RequireShipFrom(p.WarehouseID); err != nil {
		return err
	}
	if err := p.check(); err != nil {
		return err
	}
	return a.changeOrder(ctx, p.OrderID, once, func(o *orderChange) error {
		if err := requireVersion(p.Version, o.Version); err != nil {
			return err
		}
		return a.pack(ctx, o, p)
	})
}

// ShipOpenItems packs all that is still open of an order, as the order is when it
// gets to it, in one parcel: what several orders at once are shipped with.
func (a Access) ShipOpenItems(ctx context.Context, orderID, warehouseID, once string) error {
	if err := a.RequireShipFrom(warehouseID); err != nil {
		return err
	}
	return a.changeOrder(ctx, orderID, once, func(o *orderChange) error {
		p := ShipmentRequest{OrderID: orderID, WarehouseID: warehouseID, Quantities: map[string]int{}}
		for i := range o.Items {
			if open := o.Items[i].Open(); open > 0 {
				p.Quantities[o.Items[i].ProductID] = open
			}
		}
		return a.pack(ctx, o, p)
	})
}

// RequireShipFrom refuses a warehouse that the user may not ship from.
func (a Access) RequireShipFrom(warehouseID string) error {
	if err := a.require(Ship); err != nil {
		return err
	}
	if warehouseID == "" {
		return InvalidField(FieldWarehouse, "Choose the warehouse that it leaves from.")
	}
	return a.requireWarehouse(warehouseID)
}

func (p *ShipmentRequest) check() error {
	for _, field := range []struct {
		name  string
		value *string
	}{{FieldService, &p.Service}, {FieldCarrier, &p.Carrier}, {FieldTracking, &p.Tracking}} {
		if err := checkLine(field.name, field.value); err != nil {
			return err
		}
	}
	return nil
}

// pack makes the parcel.
func (a Access) pack(ctx context.Context, o *orderChange, p ShipmentRequest) error {
	if !o.CanShip() {
		return InvalidField("", "Nothing of this order is left to ship.")
	}
	id, err := a.store.ids.New()
	if err != nil {
		return err
	}
	if err := o.requireLines(p.Quantities); err != nil {
		return err
	}
	parcel := ShipmentDetails{Shipment: Shipment{
		ID: id, OrderID: o.ID, WarehouseID: p.WarehouseID, Date: a.store.now(), Type: p.Service, Status: ShipmentPacked,
		Address: o.ShipTo, Carrier: p.Carrier, Tracking: p.Tracking, Version: 1,
	}}
	for i := range o.Items {
		line := &o.Items[i]
		n := p.Quantities[line.ProductID]
		if n == 0 {
			continue
		}
		if n < 0 || n > line.Open() {
			return InvalidField(QuantityField(line.ProductID), "From 0 to %d can leave.", line.Open())
		}
		line.Shipped += n
		parcel.Items = append(parcel.Items, ShipmentItem{
			ID: id + "-" + strconv.Itoa(len(parcel.Items)+1), OrderID: o.ID, ShipmentID: id,
			ProductID: line.ProductID, Name: line.Name, Quantity: n, Version: 1,
		})
	}
	switch {
	case len(parcel.Items) == 0:
		return InvalidField(FieldQuantities, "Say how many of which line leave.")
	case len(parcel.Items) > MaxShipmentLines:
		return InvalidField(FieldQuantities, "A parcel has %d lines at most. Ship the others in another one.", MaxShipmentLines)
	}
	if err := a.takeFromStock(ctx, o, p); err != nil {
		return err
	}
	before := o.ShipmentState
	o.Shipments = append(o.Shipments, parcel)
	o.settle()
	o.recordOrderEvent(Event{What: "shipped in shipment " + id, Before: string(before), After: string(o.ShipmentState)})
	return nil
}

// hasLines refuses quantities of what an order has no line of.
func (o *orderChange) requireLines(quantities map[string]int) error {
	for product := range quantities {
		if !slices.ContainsFunc(o.Items, func(i OrderItem) bool { return i.ProductID == product }) {
			return InvalidField(FieldQuantities, "The order has no line of the product %s.", product)
		}
	}
	return nil
}

// unstock takes what leaves out of the stock of the warehouse.
func (a Access) takeFromStock(ctx context.Context, o *orderChange, p ShipmentRequest) error {
	stock, err := o.stockIn(ctx, p.WarehouseID, p.Quantities)
	if err != nil {
		return err
	}
	for i := range o.Items {
		line := &o.Items[i]
		n := p.Quantities[line.ProductID]
		if n == 0 {
			continue
		}
		item := stock[line.ProductID]
		if item == nil || item.Quantity < n {
			has := 0
			if item != nil {
				has = item.Quantity
			}
			return InvalidField(QuantityField(line.ProductID), "Only %d of %s lie in this warehouse.", has, line.label())
		}
		o.moveStock(item, -n, "shipped", o.ID)
	}
	return nil
}

// StockForOrder is how much of the lines of an order that are still open lies
// where, by product ID: one request a line, or for a manager one for each of
// their warehouses.
func (a Access) StockForOrder(ctx context.Context, d *OrderDetails) (map[string][]WarehouseItem, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	found := make([][]WarehouseItem, len(d.Items))
	all, ctx := errgroup.WithContext(ctx)
	all.SetLimit(loadWriters)
	for i := range d.Items {
		if d.Items[i].Open() == 0 {
			continue
		}
		all.Go(func() (err error) {
			found[i], err = a.StockOfProduct(ctx, d.Items[i].ProductID)
			return err
		})
	}
	if err := all.Wait(); err != nil {
		return nil, err
	}
	stock := map[string][]WarehouseItem{}
	for i := range d.Items {
		stock[d.Items[i].ProductID] = found[i]
	}
	return stock, nil
}

// stockIn reads how much of some products lies in a warehouse; what never did
// is left out.
func (o *orderChange) stockIn(ctx context.Context, warehouseID string, products map[string]int) (map[string]*WarehouseItem, error) {
	var values []key.Map
	for product, n := range products {
		if n != 0 {
			values = append(values, key.Map{"productID": product, "warehouseID": warehouseID})
		}
	}
	items, err := o.store.table.GetMany(ctx, getStockInWarehouse, values, true)
	if err != nil {
		return nil, err
	}
	stock := map[string]*WarehouseItem{}
	for _, item := range items {
		if item == nil {
			continue
		}
		found, err := table.DecodeAs[*WarehouseItem](schema, item, nil)
		if err != nil {
			return nil, err
		}
		stock[found.ProductID] = found
	}
	return stock, nil
}
