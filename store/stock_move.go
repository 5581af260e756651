package store

import (
	"context"
	"strings"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// StockMove is an entry of the stock ledger: a change of the quantity of a product in a
// warehouse, with a reason. The transaction that changes the quantity also writes the
// entry, and entries are never deleted. The field From therefore equals the field To of
// the previous entry. The entry of shipped pieces is stored as a ShipmentItem, which
// saves an item.
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
	OrderID     string `json:",omitempty"` // the order whose items were packed, unpacked or returned
	ShipmentID  string `json:",omitempty"` // the shipment whose items left the stock
	TransferID  string `json:",omitempty"` // the transfer that changed the quantity
	DeliveryID  string `json:",omitempty"` // the expected delivery whose pieces arrived
	EventID     string `json:",omitempty"` // the event of a change that staff made by hand, in the partition of the product
}

func (*StockMove) EntityType() string { return "stockMove" }

// KeyValue returns the value of a placeholder in a key. Entries with a ShipmentID are in
// index 4, all others in index 2. Only earlier versions of Stockroom stored entries with a
// ShipmentID; the entry of a shipment is now a ShipmentItem.
func (m *StockMove) KeyValue(name string) string {
	switch name {
	case "id":
		return m.ID
	case "shippedEntry":
		if m.ShipmentID != "" {
			return m.ID
		}
	case "otherEntry":
		if m.ShipmentID == "" {
			return m.ID
		}
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
	a.Text("Shipment", &m.ShipmentID)
	a.Text("Transfer", &m.TransferID)
	a.Text("Delivery", &m.DeliveryID)
	a.Text("Event", &m.EventID)
	a.FixedVersion()
	if a.Decoding() {
		m.WarehouseID, m.ID, _ = strings.Cut(a.AfterPrefix(table.AttrSK, "stock#"), "#") // never fails: the IDs contain no #
	}
}

// EventPartition returns the partition of the event with the entry's EventID.
func (m *StockMove) EventPartition() string { return productPartition(m.ProductID) }

// Reasons of entries for orders. The pieces leave the stock when a shipment is packed.
// Entries of earlier versions are stored with storedShippedReason, and shown with
// packedReason. After unpackedReason and returnedReason, a colon and the reason that staff
// entered can follow.
const (
	packedReason        = "packed"
	storedShippedReason = "shipped"
	unpackedReason      = "unpacked"
	returnedReason      = "returned"
)

var orderReasons = []string{packedReason, storedShippedReason, unpackedReason, returnedReason}

// The patterns that together find all ledger entries of a product in a warehouse, or of a
// warehouse. Their sort keys have the same form.
var (
	productLedger   = []*Pattern{getStockMoves, getProductShipped}
	warehouseLedger = []*Pattern{getWarehouseMoves, getShippedMoves, getWarehouseShipped}
)

// StockMoves lists the stock ledger of a product in a warehouse, newest first.
func (a Access) StockMoves(ctx context.Context, productID, warehouseID string, page Page) (List[StockMove], error) {
	if err := a.requireWarehouse(warehouseID); err != nil {
		return List[StockMove]{}, err
	}
	return a.store.ledger(ctx, productLedger, key.Map{"productID": productID, "warehouseID": warehouseID}, page)
}

// StockMovesOfWarehouse lists the stock ledger of a warehouse, newest first.
func (a Access) StockMovesOfWarehouse(ctx context.Context, warehouseID string, page Page) (List[StockMove], error) {
	if err := a.requireWarehouse(warehouseID); err != nil {
		return List[StockMove]{}, err
	}
	return a.store.ledger(ctx, warehouseLedger, key.Map{"warehouseID": warehouseID}, page)
}

// ledger lists the entries that the patterns find, newest first.
func (s *Store) ledger(ctx context.Context, patterns []*Pattern, values key.Map, page Page) (List[StockMove], error) {
	queries := make([]table.Query, len(patterns))
	for i, p := range patterns {
		queries[i] = table.Query{Pattern: p, Values: values, KeysOnly: page.Count}
	}
	found, err := s.table.MergedPage(ctx, queries, page)
	if err != nil {
		return List[StockMove]{}, err
	}
	return decodeFound(found, page, decodeEntry)
}

// decodeEntry decodes an entry of the stock ledger: a StockMove or a ShipmentItem.
func decodeEntry(row Row, m *StockMove) error {
	if row.Text(table.AttrType) == m.EntityType() {
		err := decodeAs(row, m)
		if m.Reason == storedShippedReason && m.OrderID != "" {
			m.Reason = packedReason
		}
		return err
	}
	var shipped ShipmentItem
	err := decodeAs(row, &shipped)
	*m = shipped.ledgerEntry()
	return err
}
