package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

func orderItemTable(p *Page, caption string, items []store.OrderItem, total store.Amount) ui.Written {
	return func(m *ui.Markup) {
		m.Table(caption)
		m.HTML(`<thead><tr><th scope="col">Product</th><th scope="col" class="num p2">Unit price</th><th scope="col" class="num">Quantity</th>` +
			`<th scope="col" class="num p2">In shipments</th><th scope="col" class="num">Amount</th></tr></thead><tbody>`)
		for i := range items {
			orderItemRow(m, p, &items[i])
		}
		m.HTML(`</tbody><tfoot><tr><th scope="row">Total</th><td class="p2"></td><td class="num">`)
		m.Bytes(AppendCount(m.Scratch(), pieces(items)))
		m.HTML(`</td><td class="p2"></td><td class="num">`)
		m.Bytes(AppendMoney(m.Scratch(), total, p.Currency))
		m.HTML(`</td></tr></tfoot>`)
		m.EndTable()
	}
}

func orderItemRow(m *ui.Markup, p *Page, item *store.OrderItem) {
	m.HTML(`<tr><td>`)
	m.Link("/products/", item.ProductID, nameOr(item.Name, item.ProductID))
	m.HTML(`<span class="sub"><a href="`)
	m.Text(OrderItemPath(item.OrderID, item.ProductID))
	m.HTML(`">`)
	m.Text(nameOr(item.SKU, item.ProductID))
	m.HTML(`</a></span></td><td class="num p2">`)
	m.Bytes(AppendMoney(m.Scratch(), item.Price, p.Currency))
	m.HTML(`</td><td class="num">`)
	m.Bytes(AppendCount(m.Scratch(), item.Quantity))
	shippedOnPhone(item)(m)
	m.HTML(`</td><td class="num p2">`)
	shippedQuantity(item)(m)
	m.HTML(`</td><td class="num">`)
	m.Bytes(AppendMoney(m.Scratch(), item.Total(), p.Currency))
	m.HTML(`</td></tr>`)
}

// shippedOnPhone shows the quantity in shipments below the ordered quantity. On phones, the
// table has no column for it.
func shippedOnPhone(item *store.OrderItem) ui.Written {
	return func(m *ui.Markup) {
		if item.Shipped > 0 || item.Cancelled {
			m.HTML(`<span class="sub m">`)
			m.Bytes(AppendCount(m.Scratch(), item.Shipped))
			m.HTML(` in shipments`)
			if n := item.CancelledPieces(); n > 0 {
				m.HTML(`, `)
				m.Bytes(AppendCount(m.Scratch(), n))
				m.HTML(` cancelled`)
			}
			m.HTML(`</span>`)
		}
	}
}

func shippedQuantity(item *store.OrderItem) ui.Written {
	return func(m *ui.Markup) {
		m.Bytes(AppendCount(m.Scratch(), item.Shipped))
		if item.Returned > 0 {
			m.HTML(`<span class="sub">`)
			m.Bytes(AppendCount(m.Scratch(), item.Returned))
			m.HTML(` returned</span>`)
		}
		if n := item.CancelledPieces(); n > 0 {
			m.HTML(`<span class="sub">`)
			m.Bytes(AppendCount(m.Scratch(), n))
			m.HTML(` cancelled</span>`)
		}
	}
}
