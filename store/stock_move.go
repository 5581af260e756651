package store

import (
	"context"
	"strings"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// StockMove is one line of the stock ledger: how much of a product came into
// a warehouse or left it, and why. It is written in the transaction that
// changes the quantity and never thrown away, so that the moves of a product
// in a warehouse are an unbroken chain: each begins where the one before ended.
type StockMove struct {
	ID          string // a ULID: the ledger is in the order of time
	ProductID   string
	WarehouseID string
	Name        string `json:",omitempty"` // the product's, copied for the ledger of a whole warehouse
	When        time.Time
	From        int // the quantity before
	To          int // and after
	Delta       int // To less From
	Reason      string
	By          string // the user's name; "stockroom" where the program acted by itself
	OrderID     string `json:",omitempty"` // the order that it left for or came back from
}

// EntityType implements Entity.
func (*StockMove) EntityType() string { return "stockMove" }

// KeyValue implements Entity.
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
	a.FixedVersion()
	if a.Decoding() {
		m.WarehouseID, m.ID, _ = strings.Cut(a.AfterPrefix(table.AttrSK, "stock#"), "#") // neither contains a #
	}
}

// StockMoves is the ledger of a product in a warehouse, newest first.
func (a Access) StockMoves(ctx context.Context, productID, warehouseID string, page Page) (List[StockMove], error) {
	return a.ledger(ctx, getStockMoves, warehouseID, key.Map{"productID": productID, "warehouseID": warehouseID}, page)
}

// StockMovesOfWarehouse is the ledger of a whole warehouse, newest first.
func (a Access) StockMovesOfWarehouse(ctx context.Context, warehouseID string, page Page) (List[StockMove], error) {
	return a.ledger(ctx, getWarehouseMoves, warehouseID, key.Map{"warehouseID": warehouseID}, page)
}

func (a Access) ledger(ctx context.Context, p *Pattern, warehouseID string, values key.Map, page Page) (List[StockMove], error) {
	if err := a.requireWarehouse(warehouseID); err != nil {
		return List[StockMove]{}, err
	}
	return list(ctx, a.store, table.Query{Pattern: p, Values: values}, page, decodeAs[StockMove])
}
