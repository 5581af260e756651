package store

import (
	"context"

	"stockroom/store/key"
)

// StockItem returns the stock of a product in a warehouse, read consistently
// for a change. If the product was never there, the item has Version 0. It
// returns NotFound for an unknown product or warehouse.
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
