package demo

import (
	"encoding/binary"
	"slices"
	"time"

	"github.com/oklog/ulid/v2"

	"stockroom/store"
)

// leaving is a line of a parcel that leaves a warehouse.
type leaving struct {
	at      time.Time
	orderID string
	pieces  int
}

// place is a product in a warehouse.
type place struct{ productID, warehouseID string }

// makeLedger tells how all that lies in the warehouses came to be as much as
// it is: what was there when the business began, what left with the orders,
// and the deliveries in between.
func (g *generator) makeLedger() {
	shipments := map[string]*store.Shipment{}
	left := map[place][]leaving{}
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
			from := place{packed.ProductID, s.WarehouseID}
			left[from] = append(left[from], leaving{s.Date, s.OrderID, packed.Quantity})
		}
	}
	for _, item := range stock {
		of := left[place{item.ProductID, item.WarehouseID}]
		slices.SortFunc(of, func(a, b leaving) int { return a.at.Compare(b.at) })
		g.tellStock(item, of)
	}
}

// tellStock writes the ledger of one item. A delivery comes whenever the stock
// is low, as long as there is one left to come: together with what was there
// at first they are what left and what is there now.
func (g *generator) tellStock(item *store.WarehouseItem, left []leaving) {
	delivery, sum := max(1, item.ReorderPoint), 0
	for _, l := range left {
		sum += l.pieces
	}
	deliveries := sum / delivery
	quantity := 0
	move := func(at time.Time, delta int, reason, orderID string) {
		g.moves++
		g.add(&store.StockMove{
			ID: moveID(at, g.moves), ProductID: item.ProductID, WarehouseID: item.WarehouseID, Name: item.Name, When: at,
			From: quantity, To: quantity + delta, Delta: delta, Reason: reason, By: store.Program, OrderID: orderID,
		})
		quantity += delta
	}
	at := g.now.AddDate(0, -months, -1)
	move(at, item.Quantity+sum-deliveries*delivery, "There when the business began", "")
	for _, l := range left {
		if deliveries > 0 && quantity-l.pieces <= item.ReorderPoint {
			deliveries--
			move(between(at, l.at), delivery, "Delivery from the supplier", "")
		}
		at = l.at
		move(at, -l.pieces, "Sent", l.orderID)
	}
	if deliveries > 0 {
		move(between(at, g.now), deliveries*delivery, "Delivery from the supplier", "")
	}
}

func between(a, b time.Time) time.Time { return a.Add(b.Sub(a) / 2).Truncate(time.Second) }

// moveID is a ULID of this second, the same for the same business. The number
// keeps those of one second apart and in order.
func moveID(at time.Time, number int) string {
	var id ulid.ULID
	binary.BigEndian.PutUint64(id[:8], ulid.Timestamp(at)<<16) // 48 bits of milliseconds
	binary.BigEndian.PutUint64(id[8:], uint64(number))
	return id.String()
}
