package store

import (
	"context"

	"stockroom/store/key"
	"stockroom/store/table"
)

// Warehouse is a place where stock lies.
type Warehouse struct {
	ID      string
	Name    string
	Address Address
	Version int
}

// EntityType implements Entity.
func (*Warehouse) EntityType() string { return "warehouse" }

// KeyValue implements Entity.
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

// WarehouseItem is how much of a product lies in a warehouse.
type WarehouseItem struct {
	ProductID    string
	WarehouseID  string
	Name         string `json:",omitempty"` // the product's, copied for lists
	Quantity     int
	ReorderPoint int    // at or below it the stock is low
	Bin          string `json:",omitempty"` // the shelf
	Version      int
}

// EntityType implements Entity.
func (*WarehouseItem) EntityType() string { return "warehouseItem" }

// Low says whether it is time to order more.
func (w *WarehouseItem) Low() bool { return w.Quantity <= w.ReorderPoint }

// QuantityIn is how much of a product's stock lies in one warehouse.
func QuantityIn(stock []WarehouseItem, warehouseID string) int {
	for i := range stock {
		if stock[i].WarehouseID == warehouseID {
			return stock[i].Quantity
		}
	}
	return 0
}

// KeyValue implements Entity.
func (w *WarehouseItem) KeyValue(name string) string {
	switch name {
	case "productID":
		return w.ProductID
	case "warehouseID":
		return w.WarehouseID
	case "lowQuantity":
		// Only what is low stands in the low-stock index, the least first.
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

// Warehouse finds a warehouse by ID.
func (a Access) Warehouse(ctx context.Context, id string) (*Warehouse, error) {
	if err := a.requireWarehouse(id); err != nil {
		return nil, err
	}
	return readOne[*Warehouse](ctx, a.store, getWarehouse, key.Map{"warehouseID": id})
}

// Warehouses lists warehouses by name: all, or those in a manager's charge.
func (a Access) Warehouses(ctx context.Context, page Page) (List[Warehouse], error) {
	return a.WarehousesByName(ctx, "", page)
}

// WarehousesByName is Warehouses for names that begin so.
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
		// A manager has a handful of places, found by their IDs on the list.
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

// StockOfWarehouse lists what lies in a warehouse, by product ID.
func (a Access) StockOfWarehouse(ctx context.Context, warehouseID string, page Page) (List[WarehouseItem], error) {
	return a.stock(ctx, getWarehouseStock, warehouseID, page)
}

// LowStock lists what a warehouse runs out of, the least first.
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
