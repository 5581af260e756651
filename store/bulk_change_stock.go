package store

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"stockroom/store/key"
	"stockroom/store/table"
)

// incomingRead is the maximum number of expected deliveries, and the maximum number of
// transfers, that a preview reads for a warehouse. The preview ignores later deliveries and
// transfers.
const incomingRead = 1000

// StockRowID returns the ID that selects a stock item for a bulk change; see
// BulkChange.Selected.
func StockRowID(productID, warehouseID string) string { return productID + "#" + warehouseID }

// checkStock checks the values of a bulk change of low stock, and sets Places and, if
// there is a source, WarehouseName. If rows are selected, it clears the filter of the
// list.
func (b *BulkChange) checkStock(ctx context.Context, a Access) error {
	if err := b.checkSelected(2); err != nil {
		return err
	}
	var warehouses []string
	for _, selected := range b.Selected {
		_, id, _ := strings.Cut(selected, "#")
		if !slices.Contains(warehouses, id) {
			warehouses = append(warehouses, id)
		}
	}
	switch {
	case len(b.Selected) > 0:
		b.WarehouseID, b.Empty = "", false
	case b.WarehouseID != "":
		warehouses = []string{b.WarehouseID}
	default:
		found, err := a.Warehouses(ctx, NotArchived, Page{Limit: MaxLimit})
		if err != nil {
			return err
		}
		for _, w := range found.Rows {
			warehouses = append(warehouses, w.ID)
		}
	}
	for _, id := range warehouses {
		if err := a.requireWarehouse(id); err != nil {
			return InvalidField("", "Select only stock of warehouses that you manage.")
		}
		b.Places = append(b.Places, WarehouseScope+id)
	}
	if b.Kind == BulkTransfer {
		if b.SourceID == "" {
			return nil
		}
		return b.checkWarehouse(ctx, a, "source", b.SourceID)
	}
	today, err := a.store.Today(ctx)
	switch {
	case err != nil:
		return err
	case b.Due.Before(today):
		return InvalidField("due", "Enter today or a later day.")
	}
	return checkLine("supplier", &b.Supplier)
}

// listStock returns the next rows of a bulk change of low stock; see bulkKind.list.
func (r *BulkRun) listStock(ctx context.Context) (rows []BulkRow, next *Position, err error) {
	stock, next, err := r.nextStock(ctx)
	if err != nil {
		return nil, nil, err
	}
	facts, err := r.factsOf(ctx, stock)
	if err != nil {
		return nil, nil, err
	}
	for i := range stock {
		row := BulkRow{
			BulkID: r.ID, Number: r.Rows + i + 1, ProductID: stock[i].ProductID, WarehouseID: stock[i].WarehouseID, Name: stock[i].Name,
			Expires: r.Expires, Version: 1,
		}
		row = facts.preview(row, &stock[i], r)
		r.remember(&row)
		rows = append(rows, row)
	}
	return rows, next, nil
}

// nextStock returns the next stock items of the preview, and the position from which the
// next call continues. A selected item that does not exist has Version 0.
func (r *BulkRun) nextStock(ctx context.Context) ([]WarehouseItem, *Position, error) {
	if len(r.Selected) == 0 {
		list := r.access.LowStock
		if r.Empty {
			list = r.access.OutOfStock
		}
		var warehouses []string
		for _, place := range r.Places {
			warehouses = append(warehouses, strings.TrimPrefix(place, WarehouseScope))
		}
		found, err := list(ctx, warehouses, Page{Limit: stepItems, At: r.Next})
		return found.Rows, found.Next, err
	}
	var stock []WarehouseItem
	for _, selected := range r.nextSelected(stepItems) {
		product, warehouse, _ := strings.Cut(selected, "#")
		stock = append(stock, WarehouseItem{ProductID: product, WarehouseID: warehouse})
	}
	return stock, nil, r.readStock(ctx, stock)
}

// readStock makes a consistent read of stock items. Set ProductID and WarehouseID of each
// element. An element whose item does not exist remains unchanged.
func (r *BulkRun) readStock(ctx context.Context, stock []WarehouseItem) error {
	values := make([]key.Map, len(stock))
	for i := range stock {
		values[i] = key.Map{"productID": stock[i].ProductID, "warehouseID": stock[i].WarehouseID}
	}
	items, err := r.store.table.GetMany(ctx, getStockInWarehouse, values, true)
	if err != nil {
		return err
	}
	for i, item := range items {
		if item == nil {
			continue
		}
		if err := decodeAs(item, &stock[i]); err != nil {
			return err
		}
	}
	return nil
}

type stockFacts struct {
	products   map[string]*Product
	warehouses map[string]*Warehouse
	levels     map[string]StockLevel
	incoming   map[string]int             // incoming quantities, by StockRowID
	sources    map[string][]WarehouseItem // stock that can be sent, by product; only for BulkTransfer
	names      map[string]string          // names of the warehouses in sources
}

// factsOf reads what the preview of these stock items needs.
func (r *BulkRun) factsOf(ctx context.Context, stock []WarehouseItem) (*stockFacts, error) {
	f := &stockFacts{incoming: map[string]int{}, sources: map[string][]WarehouseItem{}}
	var products, warehouses []string
	for i := range stock {
		products, warehouses = append(products, stock[i].ProductID), append(warehouses, stock[i].WarehouseID)
	}
	slices.Sort(products)
	slices.Sort(warehouses)
	products, warehouses = slices.Compact(products), slices.Compact(warehouses)
	var lookups []table.Lookup
	f.products = lookUpRelated[Product](&lookups, getProduct, "productID", products)
	f.warehouses = lookUpRelated[Warehouse](&lookups, getWarehouse, "warehouseID", warehouses)
	if err := r.store.table.LookUp(ctx, lookups, true); err != nil {
		return nil, err
	}
	var err error
	if f.levels, err = r.access.StockLevels(ctx, products); err != nil {
		return nil, err
	}
	for _, id := range warehouses {
		if err := r.addIncoming(ctx, f, id); err != nil {
			return nil, err
		}
	}
	if r.Kind == BulkTransfer {
		err = r.addSources(ctx, f, products)
	}
	return f, err
}

// addIncoming adds to f the quantities that a warehouse still expects from deliveries and
// transfers. It reads at most incomingRead deliveries and incomingRead transfers.
func (r *BulkRun) addIncoming(ctx context.Context, f *stockFacts, warehouseID string) error {
	values := key.Map{"warehouseID": warehouseID, "from": key.MinDate, "to": key.MaxDate}
	items, _, err := r.store.table.QueryOnce(ctx, table.Request{Pattern: getDeliveries, Values: values, Limit: incomingRead})
	deliveries, err := decodeAll(items, err, decodeAs[ExpectedDelivery])
	if err != nil {
		return err
	}
	items, _, err = r.store.table.QueryOnce(ctx, table.Request{Pattern: getTransfersTo, Values: values, Limit: incomingRead})
	transfers, err := decodeAll(items, err, decodeAs[Transfer])
	if err != nil {
		return err
	}
	for i := range deliveries {
		f.incoming[StockRowID(deliveries[i].ProductID, warehouseID)] += deliveries[i].Open()
	}
	for i := range transfers {
		f.incoming[StockRowID(transfers[i].ProductID, warehouseID)] += transfers[i].InTransit()
	}
	return nil
}

// addSources adds to f the stock of products in the warehouses that can send them: the
// source of the bulk change, or else up to MaxLimit of the user's warehouses that are not
// archived.
func (r *BulkRun) addSources(ctx context.Context, f *stockFacts, products []string) error {
	f.names = map[string]string{r.SourceID: r.warehouse(r.SourceID)}
	if r.SourceID == "" {
		found, err := r.access.Warehouses(ctx, NotArchived, Page{Limit: MaxLimit})
		if err != nil {
			return err
		}
		clear(f.names)
		for _, w := range found.Rows {
			f.names[w.ID] = nameOrID(w.Name, "warehouse "+w.ID)
		}
	}
	var stock []WarehouseItem
	for _, product := range products {
		for _, source := range slices.Sorted(maps.Keys(f.names)) {
			stock = append(stock, WarehouseItem{ProductID: product, WarehouseID: source})
		}
	}
	err := r.readStock(ctx, stock)
	for i := range stock {
		f.sources[stock[i].ProductID] = append(f.sources[stock[i].ProductID], stock[i])
	}
	return err
}

// needed returns the number of pieces to order or send so that the stock, with the
// incoming pieces, is above its reorder point. A delivery must also cover open orders. An
// order has no warehouse before it ships, so only the first row of a product covers them:
// it uses the product's available stock if this is less than the stock in the warehouse. A
// transfer does not cover open orders.
func (r *BulkRun) needed(f *stockFacts, item *WarehouseItem) int {
	here := item.Quantity
	if r.Kind == BulkDelivery && r.listed[item.ProductID] == 0 {
		here = min(here, f.levels[item.ProductID].Available)
	}
	return max(0, item.ReorderPoint+1-here-f.incoming[StockRowID(item.ProductID, item.WarehouseID)])
}

// preview returns the row of a stock item, with the suggested quantity.
func (f *stockFacts) preview(row BulkRow, item *WarehouseItem, r *BulkRun) BulkRow {
	product, warehouse := f.products[item.ProductID], f.warehouses[item.WarehouseID]
	switch {
	case product == nil:
		return row.skip("Product not found.")
	case item.Version == 0:
		return row.skip("Not stocked in this warehouse.")
	case product.Archived:
		return row.skip("This product is archived. Restore it first.")
	case warehouse == nil:
		return row.skip("Warehouse not found.")
	case warehouse.Archived:
		return row.skip("This warehouse is archived.")
	}
	incoming := f.incoming[StockRowID(item.ProductID, item.WarehouseID)]
	row.Name, row.Max = product.Name, maxQuantity
	row.Before = fmt.Sprintf("%d on hand, %d incoming, reorder point %d", item.Quantity, incoming, item.ReorderPoint)
	needed := r.needed(f, item)
	if r.Kind == BulkTransfer {
		spare := 0
		if row.SourceID, row.Max, spare = r.source(f, item); row.SourceID == "" {
			return row.skip(r.noSource())
		}
		row.Spare = fmt.Sprintf("%d to spare in %s", spare, f.names[row.SourceID])
		needed = min(needed, spare)
	}
	row.After = strconv.Itoa(needed)
	if needed == 0 {
		return row.skip("Enough is on hand or incoming. If you need more, enter a quantity.")
	}
	return row
}

func (r *BulkRun) noSource() string {
	if r.SourceID != "" {
		return nameOrID(r.WarehouseName, "Warehouse "+r.SourceID) + " has none to spare."
	}
	return "None of your other warehouses has stock to spare."
}

// source returns the warehouse that can send the most pieces and still stay above its
// reorder point. It also returns how many pieces this warehouse has on hand and can send.
// Pieces that earlier rows of the preview send do not count.
func (r *BulkRun) source(f *stockFacts, target *WarehouseItem) (id string, onHand, spare int) {
	for _, item := range f.sources[target.ProductID] {
		left := item.Quantity - r.listed[StockRowID(item.ProductID, item.WarehouseID)]
		if n := left - item.ReorderPoint - 1; item.WarehouseID != target.WarehouseID && n > spare {
			id, onHand, spare = item.WarehouseID, left, n
		}
	}
	return id, onHand, spare
}

// quantity returns the quantity of a row to order or send.
func (r *BulkRow) quantity() int {
	n, _ := strconv.Atoi(r.After)
	return n
}

func (r *BulkRun) expectDelivery(ctx context.Context, a Access, row *BulkRow, also func(*change)) error {
	return a.addDelivery(ctx, &ExpectedDelivery{
		ProductID: row.ProductID, WarehouseID: row.WarehouseID, Quantity: row.quantity(), Due: r.Due, Supplier: r.Supplier,
	}, r.rowToken(row), also)
}

func (r *BulkRun) sendTransfer(ctx context.Context, a Access, row *BulkRow, also func(*change)) error {
	return a.sendTransferAnd(ctx, TransferSheet{
		SourceID: row.SourceID, TargetID: row.WarehouseID, Reason: r.Reason, Token: r.rowToken(row),
		Lines: []TransferLine{{ProductID: row.ProductID, Quantity: row.quantity()}},
	}, also)
}

// BulkQuantities contains the quantities that a user entered for consecutive rows of a
// preview.
type BulkQuantities struct {
	First int            // number of the first row; see BulkRow.Number
	Rows  int            // number of rows, at most MaxLimit
	Texts map[int]string // entered values by position among these rows, from 1; a row without an entry keeps its quantity
}

// SetBulkQuantities changes the quantities of rows of a complete preview, and skips rows
// with the quantity 0. version is the version that the form showed. SetBulkQuantities
// returns the new version of the bulk change. It returns Invalid with the SheetField of a
// row if a quantity is invalid, Forbidden for a bulk change of another user, and Conflict
// if the bulk change has changed or started. It writes up to stepItems rows in one
// transaction. Earlier transactions stay applied after an error.
func (a Access) SetBulkQuantities(ctx context.Context, id string, version int, q BulkQuantities) (int, error) {
	b, err := a.BulkChange(ctx, id)
	if err != nil {
		return 0, err
	}
	if err := a.require(b.Kind.Permission()); err != nil {
		return 0, err
	}
	changed, err := a.rowsWithQuantities(ctx, b, q)
	switch {
	case err != nil:
		return 0, err
	case len(changed) == 0: // nothing changes, or the same form was already submitted
		return version, nil
	case b.By != a.user.Name:
		return 0, fail(Forbidden, "Only %s, who prepared this change, can edit it.", b.By)
	case b.Version != version || b.State != BulkReady:
		return 0, errOutdated()
	}
	for rows := range slices.Chunk(changed, stepItems) {
		c, err := a.change(ctx, "")
		if err != nil {
			return 0, err
		}
		next := *b
		for i := range rows {
			after := &rows[i]
			switch n := after.quantity(); {
			case n == 0 && after.Outcome == BulkToDo:
				next.Skipped++
				after.Outcome, after.Why = BulkSkipped, "The quantity is 0."
			case n > 0 && after.Outcome == BulkSkipped:
				next.Skipped--
				after.Outcome, after.Why = BulkToDo, ""
			}
			c.replaceNext(after, &after.Version)
		}
		next.Updated = a.store.now()
		c.replaceNext(&next, &next.Version)
		if err := c.Commit(ctx); err != nil {
			return 0, err
		}
		b = &next
	}
	return b.Version, nil
}

// rowsWithQuantities returns the rows whose quantity changes, with the new quantity.
func (a Access) rowsWithQuantities(ctx context.Context, b *BulkChange, q BulkQuantities) ([]BulkRow, error) {
	rows, err := a.storedRowsFrom(ctx, b, q.First, q.Rows)
	if err != nil {
		return nil, err
	}
	var changed []BulkRow
	for i, row := range rows {
		text, edited := q.Texts[i+1]
		if !edited || row.Max == 0 || text == row.After {
			continue
		}
		field := SheetField("quantity", i+1)
		n, err := ParseWhole(field, cmp.Or(strings.TrimSpace(text), "0"))
		switch {
		case err != nil:
			return nil, err
		case n < 0 || n > row.Max:
			return nil, InvalidField(field, "Enter a whole number from 0 to %d.", row.Max)
		case n != row.quantity():
			row.After = strconv.Itoa(n)
			changed = append(changed, row)
		}
	}
	return changed, nil
}
