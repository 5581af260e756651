package store

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"stockroom/store/key"
	"stockroom/store/table"
)

// maxCountScan is the number of stock items after which stockToCount reads no further page.
const (
	maxCountScan     = 20_000
	maxCountScanText = "20,000"
)

// lastBin sorts after all bins.
const lastBin = "\uffff"

// rowsPerStep is the number of rows that one transaction adds to a sheet.
const rowsPerStep = 50

// StartCount starts a count of a warehouse and returns its ID, which comes from the
// form token. It returns Invalid if fields are invalid, or if no stock or too much
// stock is selected.
//
// StartCount adds the rows in several transactions, and the count itself last. If
// StartCount is interrupted, the rows belong to no count, and Time to Live deletes them.
// Each attempt has its own sheet, so two attempts cannot mix their rows.
func (a Access) StartCount(ctx context.Context, n Count, token string) (id string, err error) {
	if err := a.require(ChangeStock); err != nil {
		return "", err
	}
	var wrong InputErrors
	if !a.user.InCharge(n.WarehouseID) {
		wrong.Reject("warehouse", "Warehouse %s not found, or not one of yours.", n.WarehouseID)
	}
	if n.NotSince < 0 || n.NotSince > 3650 {
		wrong.Reject("days", "Enter a whole number from 1 to 3,650, or leave it empty.")
	}
	for _, err := range []error{checkBin("from-bin", &n.FromBin), checkBin("to-bin", &n.ToBin)} {
		if err := wrong.Add(err); err != nil {
			return "", err
		}
	}
	if err := wrong.Err(); err != nil {
		return "", err
	}
	if n.ID, err = a.store.newID(token); err != nil {
		return "", err
	}
	partition := partitionOf(getWarehouse, "warehouseID", n.WarehouseID)
	if applied, err := a.store.alreadyApplied(ctx, partition, token); applied || err != nil {
		return n.ID, err
	}
	stock, err := a.stockToCount(ctx, &n)
	if err != nil {
		return n.ID, err
	}
	c, err := a.change(ctx, token)
	if err != nil {
		return n.ID, err
	}
	if n.Sheet, err = a.store.ids.New(); err != nil {
		return n.ID, err
	}
	n.Rows, n.Started, n.By, n.Closed, n.Version = len(stock), a.store.now(), c.by, false, 1
	n.Expires = n.Started.AddDate(0, 0, keepCounts)
	if err := a.addRows(ctx, &n, stock); err != nil {
		return n.ID, err
	}
	c.recordEvent(Event{Partition: partition, What: EventCountStarted, Subject: n.ID, After: n.describe()})
	c.Create(&n)
	return n.ID, c.Commit(ctx)
}

// stockToCount returns the stock that a count contains, in the order of bins.
func (a Access) stockToCount(ctx context.Context, n *Count) ([]WarehouseItem, error) {
	today, err := a.store.Today(ctx)
	if err != nil {
		return nil, err
	}
	from, to := key.Fold(n.FromBin), cmp.Or(key.Fold(n.ToBin), lastBin)+table.KeyEnd // the range also includes bins that begin with the text of ToBin
	if from > to {
		return nil, InvalidField("to-bin", "The last bin can't come before the first bin.")
	}
	// Without a first bin, read all stock of the warehouse. The index by bin lacks stock
	// without a bin.
	q := table.Query{Pattern: getWarehouseStock, Values: key.Map{"warehouseID": n.WarehouseID}}
	if from != "" {
		q = table.Query{Pattern: getStockByBin, Values: key.Map{"warehouseID": n.WarehouseID, "from": from, "to": strings.TrimSuffix(to, table.KeyEnd)}}
	}
	var found []WarehouseItem
	read, isTooMany := 0, false // isTooMany: there is more stock than stockToCount reads
	for page := (Page{Limit: MaxLimit}); ; {
		l, err := list(ctx, a.store, q, page, decodeAs[WarehouseItem])
		if err != nil {
			return nil, err
		}
		read += len(l.Rows)
		for _, item := range l.Rows {
			if key.Fold(item.Bin) > to {
				continue
			}
			if n.NotSince == 0 || item.Counted.Before(today.AddDate(0, 0, -n.NotSince+1)) {
				found = append(found, item)
			}
		}
		if page.At = l.Next; page.At == nil || len(found) > MaxCountRows {
			break
		}
		if isTooMany = read >= maxCountScan; isTooMany {
			break
		}
	}
	switch {
	case from == "" && len(found) > MaxCountRows:
		return nil, InvalidField("from-bin", "There are too many products for one count, which can have at most %d. Enter the bin to begin with.", MaxCountRows)
	case len(found) > MaxCountRows:
		return nil, InvalidField("from-bin", "A count can have at most %d products. Choose fewer bins.", MaxCountRows)
	case from == "" && isTooMany:
		return nil, InvalidField("from-bin", "There are more than %s products to search. Enter the bin to begin with.", maxCountScanText)
	case isTooMany:
		return nil, InvalidField("from-bin", "There are more than %s products in these bins. Choose fewer bins.", maxCountScanText)
	case len(found) == 0:
		return nil, InvalidField("from-bin", "Nothing to count: no product of this warehouse matches.")
	}
	slices.SortStableFunc(found, func(a, b WarehouseItem) int { return strings.Compare(a.binOrder(), b.binOrder()) })
	return found, nil
}

// addRows adds the rows of a new count, with the names, SKUs and prices of their products.
func (a Access) addRows(ctx context.Context, n *Count, stock []WarehouseItem) error {
	values := make([]key.Map, len(stock))
	for i := range stock {
		values[i] = key.Map{"productID": stock[i].ProductID}
	}
	items, err := a.store.table.GetMany(ctx, getProduct, values, false)
	if err != nil {
		return err
	}
	for first := 0; first < len(stock); first += rowsPerStep {
		c, err := a.change(ctx, "")
		if err != nil {
			return err
		}
		for i := first; i < min(len(stock), first+rowsPerStep); i++ {
			row := &CountRow{Sheet: n.Sheet, Number: i + 1, ProductID: stock[i].ProductID, Name: stock[i].Name, Bin: stock[i].Bin, Expires: n.Expires, Version: 1}
			if items[i] != nil {
				product, err := table.DecodeAs[*Product](schema, items[i], nil)
				if err != nil {
					return err
				}
				row.Name, row.SKU, row.Price = product.Name, product.SKU, product.Price
			}
			c.Create(row)
		}
		if err := c.Commit(ctx); err != nil {
			return err
		}
	}
	return nil
}

// binOrder returns a string by which stock can be sorted: the bin, then the product ID.
// Stock without a bin comes first.
func (w *WarehouseItem) binOrder() string { return key.Fold(w.Bin) + "#" + w.ProductID }

// CloseCount ends a count. Rows that are not applied do not change the stock. It returns
// NotFound, or Conflict if the count is already closed or the form showed another
// version.
func (a Access) CloseCount(ctx context.Context, id string, seen int, token string) error {
	if err := a.require(ChangeStock); err != nil {
		return err
	}
	n, err := a.Count(ctx, id)
	if err != nil {
		return err
	}
	c, err := a.change(ctx, token)
	if err != nil {
		return err
	}
	partition := partitionOf(getWarehouse, "warehouseID", n.WarehouseID)
	if n.Closed || n.Version != seen {
		return c.rejectOutdated(ctx, partition)
	}
	n.Closed = true
	c.recordEvent(Event{Partition: partition, What: EventCountClosed, Subject: n.ID, After: n.describe()})
	c.replaceNext(n, &n.Version)
	return c.Commit(ctx)
}
