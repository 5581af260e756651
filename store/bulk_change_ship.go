package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"stockroom/store/key"
	"stockroom/store/table"
)

// OrderRowID returns the ID that selects an order for a bulk change; see
// BulkChange.Selected.
func OrderRowID(o *Order) string { return o.ID + "#" + o.CustomerID }

// checkShip checks the values of a bulk change that ships orders, and sets Places and, if
// there is a source, WarehouseName.
func (b *BulkChange) checkShip(ctx context.Context, a Access) error {
	if err := b.checkSelected(2); err != nil {
		return err
	}
	if b.SourceID != "" {
		b.Places = []string{WarehouseScope + b.SourceID}
		return b.checkWarehouse(ctx, a, "source", b.SourceID)
	}
	if !a.user.InChargeOfAll() {
		for _, id := range a.user.Warehouses {
			b.Places = append(b.Places, WarehouseScope+id)
		}
	}
	return nil
}

// listOrders returns the next rows of a bulk change that ships orders; see bulkKind.list.
func (r *BulkRun) listOrders(ctx context.Context) (rows []BulkRow, next *Position, err error) {
	warehouses, err := r.warehousesToShip(ctx)
	if err != nil {
		return nil, nil, err
	}
	limit := ordersPerStep(len(warehouses))
	ids := r.nextSelected(limit)
	if len(r.Selected) == 0 {
		if ids, next, err = r.nextOrders(ctx, limit); err != nil {
			return nil, nil, err
		}
	}
	orders, err := r.readOrders(ctx, ids)
	if err != nil {
		return nil, nil, err
	}
	stock, err := r.stockToShip(ctx, warehouses, orders)
	if err != nil {
		return nil, nil, err
	}
	for i := range orders {
		row := BulkRow{BulkID: r.ID, Number: r.Rows + i + 1, Expires: r.Expires, Version: 1}
		row.OrderID, row.PersonID, _ = strings.Cut(ids[i], "#")
		row = r.previewOrder(stock, row, orders[i])
		r.remember(&row)
		rows = append(rows, row)
	}
	return rows, next, nil
}

// maxStepStock is the maximum number of stock items that one call of listOrders reads. A
// request reads 100 items.
const maxStepStock = 10_000

// ordersPerStep returns the number of orders that one call of listOrders adds to the
// preview. Each order can need the stock of MaxShipmentLines products in each warehouse.
func ordersPerStep(warehouses int) int {
	return max(1, min(stepItems, maxStepStock/(MaxShipmentLines*max(1, warehouses))))
}

func (r *BulkRun) nextOrders(ctx context.Context, limit int) (ids []string, next *Position, err error) {
	list := r.access.OrdersWithoutStock
	if r.Orders.Stock != "" {
		list = r.access.StockedOrders
	}
	found, err := list(ctx, r.Orders, false, Page{Limit: limit, At: r.Next})
	for i := range found.Rows {
		ids = append(ids, OrderRowID(&found.Rows[i].Order))
	}
	return ids, found.Next, err
}

// readOrders makes a consistent read of the item of each order, without its lines.
// Orders that do not exist are nil.
func (r *BulkRun) readOrders(ctx context.Context, ids []string) ([]*Order, error) {
	orders := make([]*Order, len(ids))
	lookups := make([]table.Lookup, len(ids))
	for i, id := range ids {
		order, customer, _ := strings.Cut(id, "#")
		lookups[i] = lookUp(getOrderItself, key.Map{"orderID": order, "customerID": customer}, &orders[i])
	}
	return orders, r.store.table.LookUp(ctx, lookups, true)
}

// stockToShip contains the warehouses that can ship, and their stock.
type stockToShip struct {
	warehouses []Warehouse
	quantities map[string]int // quantities in stock, by StockRowID
}

func (r *BulkRun) warehousesToShip(ctx context.Context) ([]Warehouse, error) {
	if r.SourceID != "" {
		return []Warehouse{{ID: r.SourceID}}, nil
	}
	found, err := r.access.Warehouses(ctx, NotArchived, Page{Limit: MaxLimit})
	return found.Rows, err
}

// stockToShip reads, in each of the warehouses, the stock of the products that the orders
// still need. It skips orders with too many lines for one shipment.
func (r *BulkRun) stockToShip(ctx context.Context, warehouses []Warehouse, orders []*Order) (*stockToShip, error) {
	s := &stockToShip{warehouses: warehouses, quantities: map[string]int{}}
	var products []string
	for _, o := range orders {
		if o == nil || len(o.OpenLines) > MaxShipmentLines {
			continue
		}
		quantities, _ := o.openQuantities()
		for product := range quantities {
			products = append(products, product)
		}
	}
	slices.Sort(products)
	var stock []WarehouseItem
	for _, product := range slices.Compact(products) {
		for i := range s.warehouses {
			stock = append(stock, WarehouseItem{ProductID: product, WarehouseID: s.warehouses[i].ID})
		}
	}
	err := r.readStock(ctx, stock)
	for i := range stock {
		s.quantities[StockRowID(stock[i].ProductID, stock[i].WarehouseID)] = stock[i].Quantity
	}
	return s, err
}

// previewOrder returns the row of an order with the first warehouse that has all open
// items. It skips the row if there is no such warehouse, or if the order cannot ship in one
// shipment.
func (r *BulkRun) previewOrder(stock *stockToShip, row BulkRow, o *Order) BulkRow {
	if o == nil {
		return row.skip("Order not found.")
	}
	row.Seen, row.Lines, row.After = o.Version, o.OpenLines, string(o.PaymentState)
	quantities, known := o.openQuantities()
	switch {
	case o.ended(), o.ShipmentState == FullyShipped, o.ItemCount == 0:
		return row.skip("This order has no items left to ship.")
	case !known || len(quantities) > MaxShipmentLines:
		row.Lines = nil
		return row.skip(fmt.Sprintf("A shipment can have at most %d lines. Ship this order by itself.", MaxShipmentLines))
	}
	pieces := 0
	for _, n := range quantities {
		pieces += n
	}
	row.Before = NumberOf(pieces, "piece", "pieces") + " of " + NumberOf(len(quantities), "product", "products")
	if o.NeedsAddress() {
		return row.skip(messageNoAddress)
	}
	for i := range stock.warehouses {
		if id := stock.warehouses[i].ID; r.has(stock, id, quantities) {
			row.SourceID = id
			return row
		}
	}
	if r.SourceID != "" {
		return row.skip(nameOrID(r.WarehouseName, "Warehouse "+r.SourceID) + " doesn't have all open items.")
	}
	return row.skip("None of your warehouses has all open items.")
}

// has reports whether a warehouse has these quantities of products, without the pieces that
// earlier rows of the preview ship.
func (r *BulkRun) has(stock *stockToShip, warehouseID string, quantities map[string]int) bool {
	for product, n := range quantities {
		id := StockRowID(product, warehouseID)
		if stock.quantities[id]-r.listed[id] < n {
			return false
		}
	}
	return true
}

// shipOrder ships the order of a row, if it still has the version of the preview.
func (r *BulkRun) shipOrder(ctx context.Context, a Access, row *BulkRow, also func(*change)) error {
	if err := a.RequireShipFrom(row.SourceID); err != nil {
		return err
	}
	return a.changeOrder(ctx, row.OrderID, r.rowToken(row), func(o *orderChange) error {
		if err := requireVersion(row.Seen, o.Version); err != nil {
			return err
		}
		also(o.change)
		return o.shipOpenItems(ctx, row.SourceID)
	})
}

// isUnpaid reports whether the row ships an order that is not fully paid.
func (r *BulkRow) isUnpaid() bool {
	return r.Outcome == BulkToDo && r.After != string(InvoicePaid)
}
