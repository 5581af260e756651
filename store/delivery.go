package store

import (
	"context"
	"fmt"
	"strings"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// ExpectedDelivery is a quantity of a product that a warehouse expects from a
// supplier. Its open quantity is incoming stock. A received or cancelled delivery
// stays in the table, but lists omit it.
type ExpectedDelivery struct {
	ID          string // a ULID
	ProductID   string
	WarehouseID string
	Name        string    `json:",omitempty"` // name of the product when the delivery was added, for lists
	Due         time.Time // the expected calendar day, at midnight UTC
	Supplier    string    `json:",omitempty"`
	Quantity    int
	Received    int  // quantity received so far; it can exceed Quantity
	Cancelled   bool `json:",omitempty"` // the open quantity is no longer expected
	Version     int
}

func (*ExpectedDelivery) EntityType() string { return "expectedDelivery" }

// Open returns the quantity that is still expected, or 0 if the delivery is cancelled.
func (d *ExpectedDelivery) Open() int {
	if d.Cancelled {
		return 0
	}
	return max(0, d.Quantity-d.Received)
}

// IsOverdue reports whether the delivery is still open and was expected before today, a
// calendar day at midnight UTC.
func (d *ExpectedDelivery) IsOverdue(today time.Time) bool {
	return d.Open() > 0 && d.Due.Before(today)
}

func (d *ExpectedDelivery) KeyValue(name string) string {
	switch name {
	case "id":
		return d.ID
	case "productID":
		return d.ProductID
	case "warehouseID":
		return d.WarehouseID
	case "openDue":
		// Only open deliveries are in the indexes.
		if d.Open() > 0 {
			return calendarDay(d.Due)
		}
	}
	return ""
}

func (d *ExpectedDelivery) attributes(a *table.Attributes) {
	a.FromKey(table.AttrPK, "p#", &d.ProductID)
	a.Text("Name", &d.Name)
	a.Date("Due", &d.Due)
	a.Text("Supplier", &d.Supplier)
	a.Number("Quantity", &d.Quantity)
	a.Number("Received", &d.Received)
	a.Flag("Cancelled", &d.Cancelled)
	a.Version(&d.Version)
	if a.Decoding() {
		d.WarehouseID, d.ID, _ = strings.Cut(a.AfterPrefix(table.AttrSK, "delivery#"), "#") // never fails: the IDs contain no #
	}
}

// DeliveryFilter selects expected deliveries.
type DeliveryFilter struct {
	Warehouses []string  // warehouse IDs
	Until      time.Time // only deliveries due on this calendar day or earlier; zero for all
}

// ExpectedDeliveries lists the expected deliveries to several warehouses, one
// warehouse after the other. Within a warehouse, the earliest day comes first.
func (a Access) ExpectedDeliveries(ctx context.Context, f DeliveryFilter, page Page) (List[ExpectedDelivery], error) {
	if err := a.requireWarehouses(f.Warehouses); err != nil {
		return List[ExpectedDelivery]{}, err
	}
	values := key.Map{"from": key.MinDate, "to": key.MaxDate}
	if !f.Until.IsZero() {
		values["to"] = calendarDay(f.Until)
	}
	q := table.Query{Pattern: getDeliveries, Values: values, Segment: "warehouseID", Segments: f.Warehouses}
	return list(ctx, a.store, q, page, decodeAs[ExpectedDelivery])
}

// DeliveriesOfProduct lists the expected deliveries of a product, by warehouse and
// then by day. Managers see only deliveries to their own warehouses.
func (a Access) DeliveriesOfProduct(ctx context.Context, productID string, page Page) (List[ExpectedDelivery], error) {
	if err := a.require(Browse); err != nil {
		return List[ExpectedDelivery]{}, err
	}
	q := table.Query{Pattern: getProductDeliveries, Values: key.Map{"productID": productID}}
	if a.user.Role == Manager {
		q = table.Query{Pattern: getStockDeliveries, Values: q.Values, Segment: "warehouseID", Segments: a.user.Warehouses}
	}
	return list(ctx, a.store, q, page, decodeAs[ExpectedDelivery])
}

// DeliveriesOfStock lists the expected deliveries of a product to a warehouse, earliest
// day first.
func (a Access) DeliveriesOfStock(ctx context.Context, productID, warehouseID string, page Page) (List[ExpectedDelivery], error) {
	if err := a.requireWarehouse(warehouseID); err != nil {
		return List[ExpectedDelivery]{}, err
	}
	q := table.Query{Pattern: getStockDeliveries, Values: key.Map{"productID": productID, "warehouseID": warehouseID}}
	return list(ctx, a.store, q, page, decodeAs[ExpectedDelivery])
}

// DeliveryForChange makes a consistent read of an expected delivery. It returns NotFound
// if there is no such delivery or the user does not manage the warehouse.
func (a Access) DeliveryForChange(ctx context.Context, productID, warehouseID, id string) (*ExpectedDelivery, error) {
	if err := a.require(ChangeStock); err != nil {
		return nil, err
	}
	if err := a.requireWarehouse(warehouseID); err != nil {
		return nil, err
	}
	return readConsistently[*ExpectedDelivery](ctx, a.store, getDelivery, key.Map{"productID": productID, "warehouseID": warehouseID, "deliveryID": id})
}

// countIncoming updates the incoming stock of the product after a change of a
// delivery's open quantity. before is nil for a new delivery.
func (c *change) countIncoming(before, after *ExpectedDelivery) {
	open := after.Open()
	if before != nil {
		open -= before.Open()
	}
	c.countStock(after.ProductID, StockLevel{Incoming: open})
}

func (d *ExpectedDelivery) progress() string {
	return fmt.Sprintf("%d of %d received", d.Received, d.Quantity)
}
