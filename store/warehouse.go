package store

import (
	"context"

	"stockroom/store/key"
	"stockroom/store/table"
)

// Warehouse is a place that holds stock.
type Warehouse struct {
	ID      string
	Name    string
	Address Address
	Version int
}

func (*Warehouse) EntityType() string { return "warehouse" }

func (w *Warehouse) KeyValue(name string) string {
	switch name {
	case "id":
		return w.ID
	case "name":
		return nameKey(w.Name, w.ID)
	}
	return ""
}

func (w *Warehouse) attributes(a *table.Attributes) {
	a.FromKey(table.AttrPK, "w#", &w.ID)
	a.Text("Name", &w.Name)
	a.Nested("Address", w.Address.attributes)
	a.Version(&w.Version)
}

// WarehouseItem is the stock of a product in a warehouse.
type WarehouseItem struct {
	ProductID    string
	WarehouseID  string
	Name         string `json:",omitempty"` // copied from the product for lists
	Quantity     int
	ReorderPoint int    // the stock is low at or below it
	Bin          string `json:",omitempty"` // the shelf
	Version      int
}

func (*WarehouseItem) EntityType() string { return "warehouseItem" }

// Low reports whether the quantity is at or below the reorder point.
func (w *WarehouseItem) Low() bool { return w.Quantity <= w.ReorderPoint }

// QuantityIn returns the quantity of a product in one warehouse.
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
	case "lowQuantity":
		// Only low stock is in this index, lowest quantity first.
		if w.Low() {
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
	a.Version(&w.Version)
}

// requireWarehouse returns NotFound for a warehouse that the user may not see,
// whether it exists or not.
func (a Access) requireWarehouse(warehouseID string) error {
	if err := a.require(Browse); err != nil {
		return err
	}
	if !a.user.InCharge(warehouseID) {
		return fail(NotFound, "Warehouse %s not found, or not one of yours.", warehouseID)
	}
	return nil
}

// Warehouse returns a warehouse. It returns NotFound if the user may not see it.
func (a Access) Warehouse(ctx context.Context, id string) (*Warehouse, error) {
	if err := a.requireWarehouse(id); err != nil {
		return nil, err
	}
	return readOne[*Warehouse](ctx, a.store, getWarehouse, key.Map{"warehouseID": id})
}

// Warehouses lists warehouses by name, or those of a manager in the order of
// their scope.
func (a Access) Warehouses(ctx context.Context, page Page) (List[Warehouse], error) {
	return a.WarehousesByName(ctx, "", page)
}

// WarehousesByName lists warehouses whose names begin with a text.
func (a Access) WarehousesByName(ctx context.Context, beginning string, page Page) (List[Warehouse], error) {
	if err := a.require(Browse); err != nil {
		return List[Warehouse]{}, err
	}
	folded := key.Fold(beginning)
	if a.user.Role != Manager {
		q := table.Query{Pattern: getWarehouses, Values: key.Map{"name": folded}}
		return list(ctx, a.store, q, page, decodeAs[Warehouse])
	}
	if folded != "" {
		// Managers have few warehouses, which they find in their list.
		return List[Warehouse]{}, nil
	}
	var own List[Warehouse]
	for _, id := range a.user.Warehouses {
		w, err := a.Warehouse(ctx, id)
		switch {
		case KindOf(err) == NotFound:
		case err != nil:
			return List[Warehouse]{}, err
		default:
			own.Rows = append(own.Rows, *w)
		}
	}
	return own, nil
}

// StockOfWarehouse lists the stock of a warehouse by product ID.
func (a Access) StockOfWarehouse(ctx context.Context, warehouseID string, page Page) (List[WarehouseItem], error) {
	return a.stock(ctx, getWarehouseStock, warehouseID, page)
}

// LowStock lists the low stock of a warehouse, lowest quantity first.
func (a Access) LowStock(ctx context.Context, warehouseID string, page Page) (List[WarehouseItem], error) {
	return a.stock(ctx, getLowStock, warehouseID, page)
}

func (a Access) stock(ctx context.Context, p *Pattern, warehouseID string, page Page) (List[WarehouseItem], error) {
	if err := a.requireWarehouse(warehouseID); err != nil {
		return List[WarehouseItem]{}, err
	}
	q := table.Query{Pattern: p, Values: key.Map{"warehouseID": warehouseID}}
	return list(ctx, a.store, q, page, decodeAs[WarehouseItem])
}
