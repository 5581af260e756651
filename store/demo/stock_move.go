package demo

import (
	"encoding/binary"
	"slices"
	"time"

	"github.com/oklog/ulid/v2"

	"stockroom/store"
)

// issue is a quantity that left the stock with an order or a transfer. A negative quantity
// arrived with a transfer or an expected delivery.
type issue struct {
	date                   time.Time
	reason                 string
	transferID, deliveryID string
	quantity               int
	packed                 *store.ShipmentItem // nil for a transfer or a delivery
}

type stockKey struct{ productID, warehouseID string }

// addStockMoves adds the stock moves that lead to today's stock: opening stock, shipments,
// transfers and deliveries.
func (g *generator) addStockMoves() {
	shipments := map[string]*store.Shipment{}
	issues := map[stockKey][]issue{}
	var stock []*store.WarehouseItem
	for _, e := range g.entities {
		switch e := e.(type) {
		case *store.Shipment:
			shipments[e.ID] = e
		case *store.WarehouseItem:
			stock = append(stock, e)
		}
	}
	for _, e := range g.entities {
		if packed, ok := e.(*store.ShipmentItem); ok {
			s := shipments[packed.ShipmentID]
			from := stockKey{packed.ProductID, s.WarehouseID}
			issues[from] = append(issues[from], issue{date: s.Date, quantity: packed.Quantity, packed: packed})
		}
	}
	for _, item := range stock {
		k := stockKey{item.ProductID, item.WarehouseID}
		ofItem := slices.Concat(issues[k], g.moved[k])
		slices.SortFunc(ofItem, func(a, b issue) int { return a.date.Compare(b.date) })
		g.addItemMoves(item, ofItem)
	}
}

// addItemMoves adds the moves of one stock item. The opening stock and the deliveries
// together equal the issues plus the quantity on hand. A delivery arrives whenever stock is
// low.
func (g *generator) addItemMoves(item *store.WarehouseItem, issues []issue) {
	delivery, sum := max(1, item.ReorderPoint), 0
	for _, i := range issues {
		sum += i.quantity
	}
	deliveries := max(0, sum) / delivery
	quantity := 0
	move := func(at time.Time, delta int, reason string, of issue) {
		g.moves++
		id := timedID(at, g.moves)
		if p := of.packed; p != nil { // for a shipment, the shipment item itself is the ledger entry
			p.EntryID, p.WarehouseID, p.When, p.From, p.By = id, item.WarehouseID, at, quantity, store.Program
		} else {
			g.add(&store.StockMove{
				ID: id, ProductID: item.ProductID, WarehouseID: item.WarehouseID, Name: item.Name, When: at,
				From: quantity, To: quantity + delta, Delta: delta, Reason: reason, By: store.Program, TransferID: of.transferID, DeliveryID: of.deliveryID,
			})
		}
		quantity += delta
	}
	at := g.now.AddDate(0, -months, -1)
	move(at, item.Quantity+sum-deliveries*delivery, "Opening stock", issue{})
	for _, i := range issues {
		if deliveries > 0 && quantity-i.quantity <= item.ReorderPoint {
			deliveries--
			move(between(at, i.date), delivery, "Delivery from supplier", issue{})
		}
		at = i.date
		move(at, -i.quantity, i.reason, i)
	}
	if deliveries > 0 {
		move(between(at, g.now), deliveries*delivery, "Delivery from supplier", issue{})
	}
}

func between(a, b time.Time) time.Time { return a.Add(b.Sub(a) / 2).Truncate(time.Second) }

// timedID returns a ULID that contains the time and, instead of random bits, the number of
// the record among the records of its kind.
func timedID(at time.Time, number int) string {
	var id ulid.ULID
	binary.BigEndian.PutUint64(id[:8], ulid.Timestamp(at)<<16) // 48 bits of milliseconds
	binary.BigEndian.PutUint64(id[8:], uint64(number))
	return id.String()
}
