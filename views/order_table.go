package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// ordersTable lists orders with what one would otherwise open each for. On a
// phone, secondary columns fold into the first and the last cell (class m).
func ordersTable(p *Page, caption string, rows []store.Order, by ui.Sort) ui.Written {
	return orderRows(p, caption, rows, by, orderColumns{customer: true})
}

// ordersOfOne lists the orders of one customer, who is left out.
func ordersOfOne(p *Page, caption string, rows []store.Order) ui.Written {
	return orderRows(p, caption, rows, ui.Sort{}, orderColumns{})
}

// ordersToChoose is ordersTable with a box to tick on each row, for the form
// that stands around it.
func ordersToChoose(p *Page, caption string, rows []store.Order, by ui.Sort) ui.Written {
	return orderRows(p, caption, rows, by, orderColumns{tick: true, customer: true})
}

// orderColumns are those columns of orders that not every list has.
type orderColumns struct{ tick, customer bool }

func orderRows(p *Page, caption string, rows []store.Order, by ui.Sort, c orderColumns) ui.Written {
	return tableOf(p, caption, func(t table) {
		t.HTML(`<thead><tr>`)
		if c.tick {
			t.HTML(`<th scope="col"><span class="vh">Choose</span></th>`)
		}
		t.HTML(`<th scope="col">Order</th>`)
		if c.customer {
			t.HTML(`<th scope="col" class="p2">Customer</th>`)
		}
		t.dateHeading("Placed", by)
		t.HTML(`<th scope="col" class="p2">Status</th><th scope="col" class="num p3">Items</th>` +
			`<th scope="col" class="num">Total</th><th scope="col" class="p2">Payment</th><th scope="col" class="p3">Shipment</th></tr></thead><tbody>`)
		for i := range rows {
			t.HTML(`<tr>`)
			if c.tick {
				t.tick("order", rows[i].ID)
			}
			t.orderCells(&rows[i], c.customer)
			t.HTML(`</tr>`)
		}
		t.HTML(`</tbody>`)
	})
}

// tick is a cell with a box to choose its row.
func (t table) tick(name, id string) {
	t.HTML(`<td class="tight"><label class="check"><input type="checkbox" name="`)
	t.Text(name)
	t.HTML(`" value="`)
	t.Text(id)
	t.HTML(`"><span class="vh">`)
	t.Text(id)
	t.HTML(`</span></label></td>`)
}

func (t table) orderCells(o *store.Order, whose bool) {
	status, customer := orderBadge(o.Status), named(o.CustomerName, o.CustomerID)
	placed := string(AppendTime(t.Scratch(), o.Date, t.page.Zone))
	t.HTML(`<td>`)
	t.ID("/orders/", o.ID)
	if whose {
		t.HTML(`<span class="sub m" dir="auto">`)
		t.Text(customer)
		t.HTML(`</span>`)
	}
	t.HTML(`<span class="sub m">`)
	t.Text(placed)
	t.HTML(`</span></td>`)
	if whose {
		t.HTML(`<td class="p2 name">`)
		t.Link("/customers/", o.CustomerID, customer)
		t.HTML(`</td>`)
	}
	t.HTML(`<td class="p2">`)
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
	t.HTML(`</td>`)
}
