package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// ordersTable lists orders with what one would otherwise open each for. On a
// phone, secondary columns fold into the first and the last cell (class m).
func ordersTable(p *Page, caption string, rows []store.Order, by turn) ui.Written {
	return tableOf(p, caption, func(t table) {
		t.HTML(`<thead><tr><th scope="col">Order</th><th scope="col" class="p2">Customer</th>`)
		t.dateHeading("Placed", by)
		t.HTML(`<th scope="col" class="p2">Status</th><th scope="col" class="num p3">Items</th>` +
			`<th scope="col" class="num">Total</th><th scope="col" class="p2">Payment</th><th scope="col" class="p3">Shipment</th></tr></thead><tbody>`)
		for i := range rows {
			t.orderRow(&rows[i])
		}
		t.HTML(`</tbody>`)
	})
}

func (t table) orderRow(o *store.Order) {
	status, customer := orderBadge(o.Status), named(o.CustomerName, o.CustomerID)
	placed := string(AppendTime(t.Scratch(), o.Date, t.page.Zone))
	t.HTML(`<tr><td>`)
	t.ID("/orders/", o.ID)
	t.HTML(`<span class="sub m" dir="auto">`)
	t.Text(customer)
	t.HTML(`</span><span class="sub m">`)
	t.Text(placed)
	t.HTML(`</span></td><td class="p2 name">`)
	t.Link("/customers/", o.CustomerID, customer)
	t.HTML(`</td><td class="p2">`)
	t.Text(placed)
	t.HTML(`</td><td class="p2">`)
	t.Badge(status)
	t.HTML(`</td><td class="num p3">`)
	t.count(o.ItemCount)
	t.HTML(`</td><td class="num">`)
	t.money(o.Total)
	t.HTML(`<span class="sub m">`)
	t.Badge(status)
	t.HTML(`</span></td><td class="p2">`)
	t.State(invoiceBadge(o.PaymentState))
	t.HTML(`</td><td class="p3">`)
	t.State(shippedBadge(o.ShipmentState))
	t.HTML(`</td></tr>`)
}
