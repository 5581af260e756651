package store

import (
	"context"
	"strings"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// StockMove is an entry of the stock ledger: a change of the quantity of a product in
// a warehouse, with a reason. The transaction that changes the quantity writes the
// entry, which is never deleted. From therefore always equals To of the previous
// entry.
type StockMove struct {
	ID          string // a ULID, so entries are sorted by time
	ProductID   string
	WarehouseID string
	Name        string `json:",omitempty"` // copied from the product, for the ledger of a warehouse
	When        time.Time
	From        int // quantity before
	To          int // quantity after
	Delta       int // To − From
	Reason      string
	By          string // user name, or Program
	OrderID     string `json:",omitempty"` // the order whose items were shipped or returned
	TransferID  string `json:",omitempty"` // the transfer that changed the quantity
	EventID     string `json:",omitempty"` // the event of a change that staff made by hand, in the partition of the product
}

func (*StockMove) EntityType() string { return "stockMove" }

func (m *StockMove) KeyValue(name string) string {
	switch name {
	case "id":
		return m.ID
	case "productID":
		return m.ProductID
	case "warehouseID":
		return m.WarehouseID
	}
	return ""
}

func (m *StockMove) attributes(a *table.Attributes) {
	a.FromKey(table.AttrPK, "p#", &m.ProductID)
	a.Text("Name", &m.Name)
	a.Time("When", &m.When)
	a.Number("From", &m.From)
	a.Number("To", &m.To)
	a.Number("Delta", &m.Delta)
	a.Text("Reason", &m.Reason)
	a.Text("By", &m.By)
	a.Text("Order", &m.OrderID)
	a.Text("Transfer", &m.TransferID)
	a.Text("Event", &m.EventID)
	a.FixedVersion()
	if a.Decoding() {
		m.WarehouseID, m.ID, _ = strings.Cut(a.AfterPrefix(table.AttrSK, "stock#"), "#") // the IDs contain no #
	}
}

// EventPartition returns the partition of the event with the entry's EventID.
func (m *StockMove) EventPartition() string { return productPartition(m.ProductID) }

// StockMoves lists the stock ledger of a product in a warehouse, newest first.
func (a Access) StockMoves(ctx context.Context, productID, warehouseID string, page Page) (List[StockMove], error) {
	return a.ledger(ctx, getStockMoves, warehouseID, key.Map{"productID": productID, "warehouseID": warehouseID}, page)
}

// StockMovesOfWarehouse lists the stock ledger of a warehouse, newest first.
func (a Access) StockMovesOfWarehouse(ctx context.Context, warehouseID string, page Page) (List[StockMove], error) {
	return a.ledger(ctx, getWarehouseMoves, warehouseID, key.Map{"warehouseID": warehouseID}, page)
}

func (a Access) ledger(ctx context.Context, p *Pattern, warehouseID string, values key.Map, page Page) (List[StockMove], error) {
	if err := a.requireWarehouse(warehouseID); err != nil {
		return List[StockMove]{}, err
	}
	return list(ctx, a.store, table.Query{Pattern: p, Values: values}, page, decodeAs[StockMove])
}
