package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// productsTable lists products with their prices.
func productsTable(p *Page, caption string, rows []store.Product) ui.Written {
	return tableOf(p, caption, func(t table) {
		t.HTML(`<thead><tr><th scope="col">Product</th><th scope="col" class="p2">SKU</th><th scope="col" class="p2">Category</th>` +
			`<th scope="col" class="num">Price</th></tr></thead><tbody>`)
		for i := range rows {
			t.productRow(&rows[i])
		}
		t.HTML(`</tbody>`)
	})
}

func (t table) productRow(p *store.Product) {
	t.HTML(`<tr><td class="name">`)
	t.Link("/products/", p.ID, named(p.Name, p.ID))
	t.HTML(`<span class="sub">`)
	t.Text(p.ID)
	t.HTML(`</span></td><td class="p2">`)
	t.Text(p.SKU)
	t.HTML(`</td><td class="p2" dir="auto">`)
	t.Text(p.Category)
	t.HTML(`</td><td class="num">`)
	t.money(p.Price)
	t.HTML(`</td></tr>`)
}
