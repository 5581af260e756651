package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// movesTable is a ledger of stock: of one product in a warehouse, or of a
// whole warehouse, which names the products.
func movesTable(p *Page, caption string, rows []store.StockMove, whole bool) ui.Written {
	return tableOf(p, caption, func(t table) {
		t.HTML(`<thead><tr><th scope="col">When</th>`)
		if whole {
			t.HTML(`<th scope="col">Product</th>`)
		}
		t.HTML(`<th scope="col" class="num">Change</th><th scope="col" class="num p2">From → to</th>` +
			`<th scope="col">Reason</th><th scope="col" class="p2">Who</th><th scope="col" class="p3">Order</th></tr></thead><tbody>`)
		for i := range rows {
			t.moveRow(&rows[i], whole)
		}
		t.HTML(`</tbody>`)
	})
}

func (t table) moveRow(m *store.StockMove, whole bool) {
	t.HTML(`<tr><td>`)
	t.time(m.When)
	t.HTML(`<span class="sub m" dir="auto">`)
	t.Text(m.By)
	t.HTML(`</span></td>`)
	if whole {
		t.HTML(`<td class="name">`)
		t.stockLink(m.ProductID, m.WarehouseID, named(m.Name, m.ProductID))
		t.HTML(`<span class="sub">`)
		t.Text(m.ProductID)
		t.HTML(`</span></td>`)
	}
	t.HTML(`<td class="num">`)
	if m.Delta > 0 {
		t.HTML(`+`)
	}
	t.count(m.Delta)
	t.HTML(`<span class="sub m">`)
	t.fromTo(m)
	t.HTML(`</span></td><td class="num p2">`)
	t.fromTo(m)
	t.HTML(`</td><td class="wrap" dir="auto">`)
	t.Text(m.Reason)
	t.HTML(`</td><td class="p2" dir="auto">`)
	t.Text(m.By)
	t.HTML(`</td><td class="p3">`)
	if m.OrderID != "" {
		t.ID("/orders/", m.OrderID)
	}
	t.HTML(`</td></tr>`)
}

func (t table) fromTo(m *store.StockMove) {
	t.count(m.From)
	t.HTML(` → `)
	t.count(m.To)
}

// stockLink leads to a product in a warehouse.
func (t table) stockLink(productID, warehouseID, name string) {
	t.HTML(`<a href="`)
	t.Address(StockPath(productID, warehouseID))
	t.HTML(`" dir="auto">`)
	t.Text(name)
	t.HTML(`</a>`)
}
