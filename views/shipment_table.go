package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// shipmentsTable lists shipments: from where, how and how far.
func shipmentsTable(p *Page, caption string, rows []store.Shipment, by ui.Sort) ui.Written {
	return tableOf(p, caption, func(t table) {
		t.HTML(`<thead><tr><th scope="col">Shipment</th><th scope="col" class="p2">Order</th><th scope="col" class="p2">Warehouse</th>`)
		t.dateHeading("Packed", by)
		t.HTML(`<th scope="col">Status</th><th scope="col" class="p3">Service</th><th scope="col" class="p3">Tracking</th></tr></thead><tbody>`)
		for i := range rows {
			t.shipmentRow(&rows[i])
		}
		t.HTML(`</tbody>`)
	})
}

func (t table) shipmentRow(s *store.Shipment) {
	t.HTML(`<tr><td>`)
	t.ID("/shipments/", s.ID)
	t.HTML(`<span class="sub m">`)
	t.time(s.Date)
	t.HTML(`</span></td><td class="p2">`)
	t.ID("/orders/", s.OrderID)
	t.HTML(`</td><td class="p2">`)
	t.ID("/warehouses/", s.WarehouseID)
	t.HTML(`</td><td class="p2">`)
	t.time(s.Date)
	t.HTML(`</td><td>`)
	t.Badge(shipmentBadge(s.Status))
	t.HTML(`</td><td class="p3" dir="auto">`)
	t.Text(sentence(s.Type))
	t.HTML(`</td><td class="p3"><span dir="auto">`)
	t.Text(s.Carrier)
	t.HTML(`</span><span class="sub">`)
	t.Text(s.Tracking)
	t.HTML(`</span></td></tr>`)
}

// packedTable lists what is in a parcel.
func packedTable(p *Page, caption string, rows []store.ShipmentItem) ui.Written {
	return tableOf(p, caption, func(t table) {
		t.HTML(`<thead><tr><th scope="col">Product</th><th scope="col" class="num">Quantity</th></tr></thead><tbody>`)
		for i := range rows {
			item := &rows[i]
			t.HTML(`<tr><td>`)
			t.Link("/products/", item.ProductID, named(item.Name, item.ProductID))
			t.HTML(`<span class="sub">`)
			t.Text(item.ProductID)
			t.HTML(`</span></td><td class="num">`)
			t.count(item.Quantity)
			t.HTML(`</td></tr>`)
		}
		t.HTML(`</tbody>`)
	})
}
