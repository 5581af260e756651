package store

import (
	"context"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// WarehouseItem is the stock of a product in a warehouse.
type WarehouseItem struct {
	ProductID    string
	WarehouseID  string
	Name         string `json:",omitempty"` // copied from the product for lists
	Quantity     int
	ReorderPoint int       // stock is low if Quantity is at or below the reorder point
	Bin          string    `json:",omitempty"` // location in the warehouse, such as a shelf
	Counted      time.Time `json:",omitzero"`  // the calendar day of the last count, at midnight UTC
	Version      int
}

func (*WarehouseItem) EntityType() string { return "warehouseItem" }

// IsLow reports whether the quantity is at or below the reorder point.
func (w *WarehouseItem) IsLow() bool { return w.Quantity <= w.ReorderPoint }

// QuantityIn returns the quantity of a product in one warehouse, or 0 if the stock
// contains no item of this warehouse.
func QuantityIn(stock []WarehouseItem, warehouseID string) int {
	for i := range stock {
		if stock[i].WarehouseID == warehouseID {
			return stock[i].Quantity
		}
	}
	return 0
}

func (w *WarehouseItem) KeyValue(name string) string {
	switch name {
	case "productID":
		return w.ProductID
	case "warehouseID":
		return w.WarehouseID
	case "bin":
		return key.Fold(w.Bin)
	case "lowQuantity":
		// Only low stock is in this index, sorted by quantity.
		if w.IsLow() {
			return padded(w.Quantity)
		}
	}
	return ""
}

func (w *WarehouseItem) attributes(a *table.Attributes) {
	a.FromKey(table.AttrPK, "p#", &w.ProductID)
	a.FromKey(table.AttrSK, "w#", &w.WarehouseID)
	a.Text("Name", &w.Name)
	a.Number("Quantity", &w.Quantity)
	a.Number("ReorderPoint", &w.ReorderPoint)
	a.Text("Bin", &w.Bin)
	a.Date("Counted", &w.Counted)
	a.Version(&w.Version)
}

// StockItem makes a consistent read of the stock of a product in a warehouse. If the
// product was never in the warehouse, it returns an item with Version 0. It returns
// NotFound if the product or warehouse does not exist, or the user does not manage the
// warehouse.
func (a Access) StockItem(ctx context.Context, productID, warehouseID string) (*WarehouseItem, error) {
	if err := a.requireWarehouse(warehouseID); err != nil {
		return nil, err
	}
	item, err := readConsistently[*WarehouseItem](ctx, a.store, getStockInWarehouse, key.Map{"productID": productID, "warehouseID": warehouseID})
	if KindOf(err) != NotFound {
		return item, err
	}
	product, err := readOne[*Product](ctx, a.store, getProduct, key.Map{"productID": productID})
	if err != nil {
		return nil, err
	}
	if _, err := readOne[*Warehouse](ctx, a.store, getWarehouse, key.Map{"warehouseID": warehouseID}); err != nil {
		return nil, err
	}
	return &WarehouseItem{ProductID: productID, WarehouseID: warehouseID, Name: product.Name}, nil
}

// nameNewStock copies the name of the product to stock items that are new in their
// warehouse. It also makes the change fail if the product has changed, because a
// concurrent rename could miss the new items.
func (c *change) nameNewStock(ctx context.Context, items ...*WarehouseItem) error {
	var added []*WarehouseItem
	var values []key.Map
	for _, item := range items {
		if item.Version == 0 {
			added, values = append(added, item), append(values, key.Map{"productID": item.ProductID})
		}
	}
	products, err := c.store.table.GetMany(ctx, getProduct, values, true)
	if err != nil {
		return err
	}
	for i, found := range products {
		if found == nil { // after a lenient import, an order can refer to a product that does not exist
			continue
		}
		product, err := table.DecodeAs[*Product](schema, found, nil)
		if err != nil {
			return err
		}
		added[i].Name = product.Name
		c.Check(product, product.Version)
	}
	return nil
}

// StockOfWarehouse lists the stock of a warehouse by product ID.
func (a Access) StockOfWarehouse(ctx context.Context, warehouseID string, page Page) (List[WarehouseItem], error) {
	if err := a.requireWarehouse(warehouseID); err != nil {
		return List[WarehouseItem]{}, err
	}
	q := table.Query{Pattern: getWarehouseStock, Values: key.Map{"warehouseID": warehouseID}}
	return list(ctx, a.store, q, page, decodeAs[WarehouseItem])
}

// LowStock lists the low stock of several warehouses, one after the other. Within a
// warehouse, the lowest quantity comes first.
func (a Access) LowStock(ctx context.Context, warehouseIDs []string, page Page) (List[WarehouseItem], error) {
	return a.lowStock(ctx, table.Query{Pattern: getLowStock}, warehouseIDs, page)
}

func (a Access) lowStock(ctx context.Context, q table.Query, warehouseIDs []string, page Page) (List[WarehouseItem], error) {
	if err := a.require(Browse); err != nil {
		return List[WarehouseItem]{}, err
	}
	for _, id := range warehouseIDs {
		if err := a.requireWarehouse(id); err != nil {
			return List[WarehouseItem]{}, err
		}
	}
	q.Segment, q.Segments = "warehouseID", warehouseIDs
	return list(ctx, a.store, q, page, decodeAs[WarehouseItem])
}

// OutOfStock lists the stock items of several warehouses that have no pieces left, one
// warehouse after the other.
func (a Access) OutOfStock(ctx context.Context, warehouseIDs []string, page Page) (List[WarehouseItem], error) {
	return a.lowStock(ctx, table.Query{Pattern: getOutOfStock, Values: key.Map{"lowQuantity": padded(0)}}, warehouseIDs, page)
}

// StockOfProduct returns the stock of a product by warehouse. For managers, it reads
// only the stock in their own warehouses.
func (a Access) StockOfProduct(ctx context.Context, productID string) ([]WarehouseItem, error) {
	return a.stockOfProduct(ctx, getProductInventory, productID)
}

// InventoryOfProduct returns the same as StockOfProduct, but uses the pattern
// getInventoryByProductId.
func (a Access) InventoryOfProduct(ctx context.Context, productID string) ([]WarehouseItem, error) {
	return a.stockOfProduct(ctx, getInventory, productID)
}

// TotalStockOfProduct returns the total quantity of a product. For managers, it
// includes only their own warehouses.
func (a Access) TotalStockOfProduct(ctx context.Context, productID string) (int, error) {
	stock, err := a.stockOfProduct(ctx, getTotalInventory, productID)
	total := 0
	for i := range stock {
		total += stock[i].Quantity
	}
	return total, err
}

func (a Access) stockOfProduct(ctx context.Context, p *Pattern, productID string) ([]WarehouseItem, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	if a.user.Role != Manager {
		items, err := a.store.table.Partition(ctx, p, key.Map{"productID": productID}, false)
		return decodeAll(items, err, decodeAs[WarehouseItem])
	}
	values := make([]key.Map, len(a.user.Warehouses))
	for i, warehouse := range a.user.Warehouses {
		values[i] = key.Map{"productID": productID, "warehouseID": warehouse}
	}
	items, err := a.store.table.GetExisting(ctx, getStockInWarehouse, values, false)
	return decodeAll(items, err, decodeAs[WarehouseItem])
}
