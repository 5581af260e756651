package store

import (
	"context"
	"strings"
	"time"

	"stockroom/store/key"
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

func (m *StockMove) write(a *attributes) {
	a.text("Name", m.Name)
	a.time("When", m.When)
	a.number("From", m.From)
	a.number("To", m.To)
	a.number("Delta", m.Delta)
	a.text("Reason", m.Reason)
	a.text("By", m.By)
	a.text("Order", m.OrderID)
	a.number(attrVersion, 1)
}

func decodeStockMove(item Item) (Entity, error) {
	f := fields{item: item}
	warehouseID, id, _ := strings.Cut(f.after(attrSK, "stock#"), "#") // neither may hold a #
	m := &StockMove{
		ID:          id,
		ProductID:   f.after(attrPK, "p#"),
		WarehouseID: warehouseID,
		Name:        f.text("Name"),
		When:        f.time("When"),
		From:        f.number("From"),
		To:          f.number("To"),
		Delta:       f.number("Delta"),
		Reason:      f.text("Reason"),
		By:          f.text("By"),
		OrderID:     f.text("Order"),
	}
	return m, f.err
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
	if err := a.inCharge(warehouseID); err != nil {
		return List[StockMove]{}, err
	}
	return list(ctx, a.Store, question{pattern: p, values: values}, page, decoded[StockMove])
}
