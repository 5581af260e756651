package store

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// Limits of stock counts.
const (
	MaxCountRows = 1000 // maximum number of rows of a count
	CountPage    = 50   // number of rows on a page
	keepCounts   = 400  // days after which a count and its rows are deleted
)

// Count is a count of the stock of a warehouse. Its rows are separate items, so that
// several people can count at once. Old counts are deleted, because the ledger
// contains their results.
type Count struct {
	ID          string // a ULID
	WarehouseID string
	FromBin     string `json:",omitempty"` // first bin; "" includes stock without a bin
	ToBin       string `json:",omitempty"` // last bin; "" for no limit
	NotSince    int    `json:",omitempty"` // includes only stock that was not counted in this number of days; 0 for all stock
	Sheet       string `json:"-"`          // partition of the rows; see StartCount
	Rows        int
	Started     time.Time
	By          string    // user name
	Closed      bool      `json:",omitempty"`
	Expires     time.Time `json:"-"` // TTL
	Version     int
}

func (*Count) EntityType() string { return "count" }

// Pages returns the number of pages of the sheet.
func (n *Count) Pages() int { return max(1, (n.Rows+CountPage-1)/CountPage) }

func (n *Count) KeyValue(name string) string {
	switch name {
	case "id":
		return n.ID
	case "warehouseID":
		return n.WarehouseID
	}
	return ""
}

func (n *Count) attributes(a *table.Attributes) {
	a.FromKey(table.AttrPK, "count#", &n.ID)
	a.Text("Warehouse", &n.WarehouseID)
	a.Text("FromBin", &n.FromBin)
	a.Text("ToBin", &n.ToBin)
	a.OptionalNumber("NotSince", &n.NotSince)
	a.Text("Sheet", &n.Sheet)
	a.Number("Rows", &n.Rows)
	a.Time("Started", &n.Started)
	a.Text("By", &n.By)
	a.Flag("Closed", &n.Closed)
	a.Seconds(table.AttrTTL, &n.Expires)
	a.Version(&n.Version)
}

// CountRow is a product on the sheet of a count. It does not contain the quantity in
// stock, which people who count must not see.
type CountRow struct {
	Sheet     string // see Count.Sheet
	Number    int    // position on the sheet, from 1, in the order of bins
	ProductID string
	Name      string
	SKU       string
	Bin       string
	Price     Amount // price when the count started
	Entered   bool   // a quantity was entered
	Quantity  int    // the counted quantity
	Seen      int    // version of the stock when it was counted
	By        string // user who entered the quantity
	At        time.Time
	Disputed  bool   // two people entered different numbers
	Other     int    // the other number, if Disputed
	OtherBy   string // user who entered the other number
	Token     string // form token of the last scan, so that submitting it again adds nothing
	Applied   bool   // the stock was set to the quantity
	Expires   time.Time
	Version   int
}

func (*CountRow) EntityType() string { return "countRow" }

func (r *CountRow) KeyValue(name string) string {
	switch name {
	case "sheet":
		return r.Sheet
	case "number":
		return rowNumber(r.Number)
	case "productID":
		return r.ProductID
	}
	return ""
}

// rowNumber formats the number of a row for keys, with four digits.
func rowNumber(n int) string { return fmt.Sprintf("%04d", n) }

func (r *CountRow) attributes(a *table.Attributes) {
	a.FromKey(table.AttrPK, "countRows#", &r.Sheet)
	a.Text("Product", &r.ProductID)
	a.Text("Name", &r.Name)
	a.Text("SKU", &r.SKU)
	a.Text("Bin", &r.Bin)
	amountAttribute(a, "Price", &r.Price)
	a.Flag("Entered", &r.Entered)
	a.OptionalNumber("Quantity", &r.Quantity)
	a.OptionalNumber("Seen", &r.Seen)
	a.Text("By", &r.By)
	a.Time("At", &r.At)
	a.Flag("Disputed", &r.Disputed)
	a.OptionalNumber("Other", &r.Other)
	a.Text("OtherBy", &r.OtherBy)
	a.Text("Token", &r.Token)
	a.Flag("Applied", &r.Applied)
	a.Seconds(table.AttrTTL, &r.Expires)
	a.Version(&r.Version)
	if !a.Decoding() {
		return
	}
	var err error
	if r.Number, err = strconv.Atoi(a.AfterPrefix(table.AttrSK, "row#")); err != nil {
		a.Damaged(table.AttrSK, "the key of a row")
	}
}

// Counts lists the counts of several warehouses, one warehouse after the other. Within a
// warehouse, the newest comes first.
func (a Access) Counts(ctx context.Context, warehouseIDs []string, page Page) (List[Count], error) {
	if err := a.require(ChangeStock); err != nil {
		return List[Count]{}, err
	}
	for _, id := range warehouseIDs {
		if err := a.requireWarehouse(id); err != nil {
			return List[Count]{}, err
		}
	}
	q := table.Query{Pattern: getCounts, Segment: "warehouseID", Segments: warehouseIDs}
	return list(ctx, a.store, q, page, decodeAs[Count])
}

// Count makes a consistent read of a count. It returns NotFound if the user does not
// manage its warehouse.
func (a Access) Count(ctx context.Context, id string) (*Count, error) {
	if err := a.require(ChangeStock); err != nil {
		return nil, err
	}
	n, err := readConsistently[*Count](ctx, a.store, getCount, key.Map{"countID": id})
	if err != nil {
		return nil, err
	}
	return n, a.requireWarehouse(n.WarehouseID)
}

// openCount is like Count, but returns Conflict if the count is closed.
func (a Access) openCount(ctx context.Context, id string) (*Count, error) {
	n, err := a.Count(ctx, id)
	if err == nil && n.Closed {
		return nil, fail(Conflict, "This count is closed. Start another one.")
	}
	return n, err
}

// SheetRow is a row of a count with the version of its stock.
type SheetRow struct {
	CountRow
	StockVersion int
}

// CountSheet makes a consistent read of one page of a count's rows, with the current
// versions of their stock. The first page is 1.
func (a Access) CountSheet(ctx context.Context, n *Count, page int) ([]SheetRow, error) {
	if err := a.require(ChangeStock); err != nil {
		return nil, err
	}
	if err := a.requireWarehouse(n.WarehouseID); err != nil {
		return nil, err
	}
	first := (page-1)*CountPage + 1
	rows, err := a.countRows(ctx, n, rowNumber(first), rowNumber(first+CountPage-1))
	if err != nil {
		return nil, err
	}
	stock, err := a.stockOfRows(ctx, n, rows)
	if err != nil {
		return nil, err
	}
	sheet := make([]SheetRow, len(rows))
	for i := range rows {
		sheet[i] = SheetRow{rows[i], stock[i].Version}
	}
	return sheet, nil
}

// countRows makes a consistent read of the rows in a range of numbers.
func (a Access) countRows(ctx context.Context, n *Count, from, to string) ([]CountRow, error) {
	items, err := a.store.table.Partition(ctx, getCountRows, key.Map{"sheet": n.Sheet, "from": from, "to": to}, true)
	return decodeAll(items, err, decodeAs[CountRow])
}

// rowsByNumber makes consistent reads of rows by their numbers. It omits missing
// rows.
func (a Access) rowsByNumber(ctx context.Context, n *Count, numbers []int) (map[int]*CountRow, error) {
	values := make([]key.Map, len(numbers))
	for i, number := range numbers {
		values[i] = key.Map{"sheet": n.Sheet, "number": rowNumber(number)}
	}
	items, err := a.store.table.GetExisting(ctx, getCountRow, values, true)
	found, err := decodeAll(items, err, decodeAs[CountRow])
	rows := map[int]*CountRow{}
	for i := range found {
		rows[found[i].Number] = &found[i]
	}
	return rows, err
}

// stockOfRows makes consistent reads of the stock of rows. Missing stock has Version
// 0.
func (a Access) stockOfRows(ctx context.Context, n *Count, rows []CountRow) ([]WarehouseItem, error) {
	values := make([]key.Map, len(rows))
	for i := range rows {
		values[i] = key.Map{"productID": rows[i].ProductID, "warehouseID": n.WarehouseID}
	}
	items, err := a.store.table.GetMany(ctx, getStockInWarehouse, values, true)
	if err != nil {
		return nil, err
	}
	stock := make([]WarehouseItem, len(rows))
	for i, item := range items {
		stock[i] = WarehouseItem{ProductID: rows[i].ProductID, WarehouseID: n.WarehouseID, Name: rows[i].Name}
		if item == nil {
			continue
		}
		if err := decodeAs(item, &stock[i]); err != nil {
			return nil, err
		}
	}
	return stock, nil
}

// describe describes the stock that a count contains, for events.
func (n *Count) describe() string {
	text := productCount(n.Rows)
	switch {
	case n.FromBin != "" && n.ToBin != "":
		text += ", bins " + n.FromBin + " to " + n.ToBin
	case n.FromBin != "":
		text += ", bins from " + n.FromBin
	case n.ToBin != "":
		text += ", bins up to " + n.ToBin
	}
	if n.NotSince > 0 {
		text += ", not counted for " + NumberOf(n.NotSince, "day", "days")
	}
	return text
}
