package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// movesTable is a ledger of stock: of one product in a warehouse, or of a
// whole warehouse, which names the products. On a phone, all that is told of a
// move folds into the first cell.
func movesTable(p *Page, caption string, rows []store.StockMove, whole bool) ui.Written {
	return tableOf(p, caption, func(t table) {
		t.HTML(`<thead><tr>`)
		if whole {
			t.HTML(`<th scope="col">Product</th><th scope="col" class="p2">When and who</th>`)
		} else {
			t.HTML(`<th scope="col">When and who</th>`)
		}
		t.HTML(`<th scope="col" class="num">Change</th><th scope="col" class="p2">Reason</th></tr></thead><tbody>`)
		for i := range rows {
			t.moveRow(&rows[i], whole)
		}
		t.HTML(`</tbody>`)
	})
}

func (t table) moveRow(m *store.StockMove, whole bool) {
	if whole {
		t.HTML(`<tr><td class="name">`)
		t.stockLink(m.ProductID, m.WarehouseID, named(m.Name, m.ProductID))
		t.HTML(`<span class="sub">`)
		t.Text(m.ProductID)
		t.HTML(`</span><div class="m">`)
		t.whenAndWho(m)
		t.HTML(`</div>`)
	} else {
		t.HTML(`<tr><td>`)
		t.whenAndWho(m)
	}
	t.HTML(`<span class="m" dir="auto">`)
	t.Text(m.Reason)
	t.HTML(`</span>`)
	if whole {
		t.HTML(`</td><td class="p2">`)
		t.whenAndWho(m)
	}
	t.HTML(`</td><td class="num">`)
	if m.Delta > 0 {
		t.HTML(`+`)
	}
	t.count(m.Delta)
	t.HTML(`<span class="sub">`)
	t.count(m.From)
	t.HTML(` → `)
	t.count(m.To)
	t.HTML(`</span></td><td class="p2 wrap" dir="auto">`)
	t.Text(m.Reason)
	t.HTML(`</td></tr>`)
}

func (t table) whenAndWho(m *store.StockMove) {
	t.time(m.When)
	t.HTML(`<span class="sub" dir="auto">`)
	t.Text(m.By)
	t.HTML(`</span>`)
	if m.OrderID != "" {
		t.HTML(`<span class="sub">for order `)
		t.ID("/orders/", m.OrderID)
		t.HTML(`</span>`)
	}
}

// stockLink leads to a product in a warehouse.
func (t table) stockLink(productID, warehouseID, name string) {
	t.HTML(`<a href="`)
	t.Address(StockPath(productID, warehouseID))
	t.HTML(`" dir="auto">`)
	t.Text(name)
	t.HTML(`</a>`)
}
