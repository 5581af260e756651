package store

import (
	"cmp"
	"context"

	"golang.org/x/sync/errgroup"

	"stockroom/store/key"
	"stockroom/store/table"
)

// StockForOrder returns, by product ID, the stock of the products that an order still has
// to ship. It includes all warehouses that the user may see. It makes one request per
// product. For a manager, it reads up to 100 stock items with one request.
func (a Access) StockForOrder(ctx context.Context, d *OrderDetails) (map[string][]WarehouseItem, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	if a.user.Role == Manager {
		return a.ownStockForOrder(ctx, d)
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

// ownStockForOrder is StockForOrder for a manager.
func (a Access) ownStockForOrder(ctx context.Context, d *OrderDetails) (map[string][]WarehouseItem, error) {
	var values []key.Map
	for i := range d.Items {
		if d.Items[i].Open() == 0 {
			continue
		}
		for _, warehouse := range a.user.Warehouses {
			values = append(values, key.Map{"productID": d.Items[i].ProductID, "warehouseID": warehouse})
		}
	}
	rows, err := a.store.table.GetExisting(ctx, getStockInWarehouse, values, false)
	items, err := decodeAll(rows, err, decodeAs[WarehouseItem])
	if err != nil {
		return nil, err
	}
	stock := map[string][]WarehouseItem{}
	for i := range items {
		stock[items[i].ProductID] = append(stock[items[i].ProductID], items[i])
	}
	return stock, nil
}

// takeFromStock subtracts the items of a shipment from the stock of the warehouse. If the
// stock of a product is not enough, it adds an error to the argument wrong instead.
func (o *orderChange) takeFromStock(ctx context.Context, r ShipmentRequest, items []ShipmentItem, wrong *InputErrors) error {
	stock, err := o.stockIn(ctx, r.WarehouseID, r.Quantities)
	if err != nil {
		return err
	}
	for i := range items {
		shipped := &items[i]
		item := stock[shipped.ProductID]
		if item == nil || item.Quantity < shipped.Quantity {
			onHand := 0
			if item != nil {
				onHand = item.Quantity
			}
			wrong.Reject(QuantityField(shipped.ProductID), "Only %d of %s in stock at this warehouse.", onHand, cmp.Or(shipped.Name, shipped.ProductID))
			continue
		}
		o.shipStock(item, shipped)
	}
	return nil
}

// stockIn reads the stock in a warehouse of each product that quantities lists. It returns
// the stock by product ID. It omits products that were never in the warehouse. It locks the
// stock, so that this server's other changes of the same stock wait until this change ends.
func (o *orderChange) stockIn(ctx context.Context, warehouseID string, quantities map[string]int) (map[string]*WarehouseItem, error) {
	var values []key.Map
	var locks []string
	for product, n := range quantities {
		if n != 0 {
			locks = append(locks, "stock of "+product+" in "+warehouseID)
			values = append(values, key.Map{"productID": product, "warehouseID": warehouseID})
		}
	}
	o.lockItems(ctx, locks)
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
