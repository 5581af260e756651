package demo

import (
	"slices"
	"time"

	"stockroom/store"
)

// addTransfers adds transfers between warehouses: some in transit, of which a few are
// overdue, some received with a difference, and some cancelled. It records in g.moved
// how they changed the stock.
func (g *generator) addTransfers() {
	stock := map[string][]*store.WarehouseItem{}
	for _, e := range g.entities {
		if item, ok := e.(*store.WarehouseItem); ok && item.Quantity >= 20 {
			stock[item.ProductID] = append(stock[item.ProductID], item)
		}
	}
	n := 0
	for i := range g.products {
		items := stock[g.products[i].ID]
		if len(items) < 2 {
			continue
		}
		if n++; n%5 == 0 {
			g.addTransfer(n/5, items[0], items[1])
		}
	}
}

func (g *generator) addTransfer(n int, from, to *store.WarehouseItem) {
	days := []int{2, 12, 9, 5}[n%4]
	at := g.now.AddDate(0, 0, -days)
	year, month, day := at.Date()
	t := &store.Transfer{
		ID: timedID(at, n), ProductID: from.ProductID, SourceID: from.WarehouseID, TargetID: to.WarehouseID, Name: from.Name,
		Sent: time.Date(year, month, day, 0, 0, 0, 0, time.UTC), Reason: "Restock", By: store.Program, Quantity: 6, Version: 1,
	}
	source, target := g.warehouseName(t.SourceID), g.warehouseName(t.TargetID)
	move := func(item *store.WarehouseItem, at time.Time, delta int, reason, transferID string) {
		k := stockKey{item.ProductID, item.WarehouseID}
		g.moved[k] = append(g.moved[k], issue{date: at, quantity: -delta, reason: reason, transferID: transferID})
	}
	move(from, at, -t.Quantity, "Transfer to "+target+": Restock", t.ID)
	later := at.AddDate(0, 0, 1)
	switch n % 4 {
	case 2: // received, except one piece, which was broken
		t.Received, t.WrittenOff, t.Version = 5, 1, 2
		move(to, later, 6, "Transfer from "+source+": Restock", t.ID)
		move(to, later.Add(time.Second), -1, "Difference in transfer from "+source+": Broken", "")
	case 3: // partly received; the rest was sent back
		t.Received, t.Returned, t.Version = 4, 2, 3
		move(to, later, 4, "Transfer from "+source+": Restock", t.ID)
		move(from, later.Add(time.Hour), 2, "Transfer to "+target+" cancelled: No space", t.ID)
	}
	g.add(t)
}

func (g *generator) warehouseName(id string) string {
	return g.warehouses[slices.IndexFunc(g.warehouses, func(w store.Warehouse) bool { return w.ID == id })].Name
}
