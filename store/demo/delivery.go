package demo

import (
	"time"

	"stockroom/store"
)

var suppliers = []string{"Nordljus AB", "Møbelfabrikken ApS", "Muebles Ibáñez, S.L.", "Weberei Hansen GmbH", "Ateliers du Nord"}

// addDeliveries adds an expected delivery for each stock item that is low. Most deliveries
// arrive in the next two weeks. Some are overdue or partly received. It records in g.moved
// what was received.
func (g *generator) addDeliveries() {
	year, month, day := g.now.Date()
	n := 0
	for _, e := range g.entities {
		item, ok := e.(*store.WarehouseItem)
		if !ok || !item.IsLow() || item.ReorderPoint == 0 {
			continue
		}
		n++
		d := &store.ExpectedDelivery{
			ID: timedID(g.now.AddDate(0, 0, -7), n), ProductID: item.ProductID, WarehouseID: item.WarehouseID, Name: item.Name,
			Due:      time.Date(year, month, day+(n*5)%18-3, 0, 0, 0, 0, time.UTC),
			Supplier: suppliers[n%len(suppliers)], Quantity: 4 * item.ReorderPoint, Version: 1,
		}
		if n%6 == 0 && item.Quantity > 1 {
			d.Received = item.Quantity / 2
			k := stockKey{item.ProductID, item.WarehouseID}
			g.moved[k] = append(g.moved[k], issue{date: g.now.AddDate(0, 0, -2), quantity: -d.Received, reason: "Delivery from " + d.Supplier, deliveryID: d.ID})
		}
		g.add(d)
	}
}
