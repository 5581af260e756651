package store

import (
	"cmp"
	"context"
	"slices"

	"stockroom/store/key"
)

// maxPickLines is the maximum number of products on a pick list.
const maxPickLines = 500

// PickLine is a product on a pick list, with the orders that need it.
type PickLine struct {
	ProductID, Name, SKU string
	Bin                  string // bin of the product in the warehouse
	OnHand               int    // quantity on hand in the warehouse
	Quantity             int    // number of pieces to pick for all orders
	Orders               []PickOrder
}

// PickOrder is an order that needs the product of a pick line.
type PickOrder struct {
	OrderID, Customer string
	Quantity          int // number of pieces to pick for this order
}

// PickList adds up, by product, the pieces that the orders still have to ship. It sorts the
// products by their bin in the warehouse. Products without a bin come last. PickList
// returns Invalid for more than maxPickLines products, and NotFound if the user may not see
// the warehouse. It makes one request per 100 products.
func (a Access) PickList(ctx context.Context, orders []OrderDetails, warehouseID string) ([]PickLine, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	if err := a.requireWarehouse(warehouseID); err != nil {
		return nil, err
	}
	lines, values := pickLines(orders, warehouseID)
	if len(lines) > maxPickLines {
		return nil, fail(Invalid, "These orders have %d products, and a pick list has at most %d. Select fewer orders.", len(lines), maxPickLines)
	}
	items, err := a.store.table.GetMany(ctx, getStockInWarehouse, values, false)
	if err != nil {
		return nil, err
	}
	for i, item := range items {
		if item == nil {
			continue
		}
		var stock WarehouseItem
		if err := decodeAs(item, &stock); err != nil {
			return nil, err
		}
		lines[i].Bin, lines[i].OnHand = stock.Bin, stock.Quantity
	}
	slices.SortStableFunc(lines, func(a, b PickLine) int {
		if (a.Bin == "") != (b.Bin == "") {
			return cmp.Compare(b.Bin, a.Bin)
		}
		return cmp.Or(cmp.Compare(a.Bin, b.Bin), cmp.Compare(a.Name, b.Name), cmp.Compare(a.ProductID, b.ProductID))
	})
	return lines, nil
}

// pickLines returns a line for each product that the orders still have to ship, and the
// keys of the stock items of these products.
func pickLines(orders []OrderDetails, warehouseID string) (lines []PickLine, values []key.Map) {
	byProduct := map[string]int{} // index in lines, by product ID
	for i := range orders {
		o := &orders[i]
		for n := range o.Items {
			item := &o.Items[n]
			if item.Open() == 0 {
				continue
			}
			at, found := byProduct[item.ProductID]
			if !found {
				at = len(lines)
				byProduct[item.ProductID] = at
				lines = append(lines, PickLine{ProductID: item.ProductID, Name: item.Name, SKU: item.SKU})
				values = append(values, key.Map{"productID": item.ProductID, "warehouseID": warehouseID})
			}
			line := &lines[at]
			line.Quantity += item.Open()
			line.Orders = append(line.Orders, PickOrder{OrderID: o.ID, Customer: nameOrID(o.CustomerName, o.CustomerID), Quantity: item.Open()})
		}
	}
	return lines, values
}
