package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// inventoryTable lists what lies in one warehouse.
func inventoryTable(p *Page, caption string, rows []store.WarehouseItem) ui.Written {
	return tableOf(p, caption, func(t table) {
		t.HTML(`<thead><tr><th scope="col">Product</th>` + stockHeadings)
		for i := range rows {
			item := &rows[i]
			t.HTML(`<tr><td class="name">`)
			t.Link("/products/", item.ProductID, named(item.Name, item.ProductID))
			t.HTML(`<span class="sub">`)
			t.Text(item.ProductID)
			t.HTML(`</span>`)
			t.stockFigures(item)
		}
		t.HTML(`</tbody>`)
	})
}

// whereTable lists where one product lies, with how much there is in all.
func whereTable(p *Page, caption string, rows []store.WarehouseItem, warehouses []store.Warehouse) ui.Written {
	return tableOf(p, caption, func(t table) {
		t.HTML(`<thead><tr><th scope="col">Warehouse</th>` + stockHeadings)
		for i := range rows {
			item := &rows[i]
			t.HTML(`<tr><td class="name">`)
			t.Link("/warehouses/", item.WarehouseID, warehouseName(warehouses, item.WarehouseID))
			t.HTML(`<span class="sub">`)
			t.Text(item.WarehouseID)
			t.HTML(`</span>`)
			t.stockFigures(item)
		}
		t.HTML(`</tbody><tfoot><tr><th scope="row">Total</th><td class="p2"></td><td class="num">`)
		t.count(inStock(rows))
		t.HTML(`</td><td class="num p2"></td><td></td></tr></tfoot>`)
	})
}

const stockHeadings = `<th scope="col" class="p2">Bin</th><th scope="col" class="num">Quantity</th>` +
	`<th scope="col" class="num p2">Reorder at</th><th scope="col">State</th></tr></thead><tbody>`

func (t table) stockFigures(item *store.WarehouseItem) {
	t.HTML(`</td><td class="p2" dir="auto">`)
	t.Text(item.Bin)
	t.HTML(`</td><td class="num">`)
	t.count(item.Quantity)
	t.HTML(`</td><td class="num p2">`)
	t.count(item.ReorderPoint)
	t.HTML(`</td><td>`)
	t.State(stockBadge(*item))
	t.HTML(`</td></tr>`)
}

func inStock(rows []store.WarehouseItem) int {
	sum := 0
	for i := range rows {
		sum += rows[i].Quantity
	}
	return sum
}

func warehouseName(warehouses []store.Warehouse, id string) string {
	for i := range warehouses {
		if warehouses[i].ID == id {
			return named(warehouses[i].Name, id)
		}
	}
	return id
}

// warehousesTable lists places.
func warehousesTable(p *Page, caption string, rows []store.Warehouse) ui.Written {
	return tableOf(p, caption, func(t table) {
		t.HTML(`<thead><tr><th scope="col">Warehouse</th><th scope="col">City</th><th scope="col" class="p2">Country</th></tr></thead><tbody>`)
		for i := range rows {
			w := &rows[i]
			t.HTML(`<tr><td class="name">`)
			t.Link("/warehouses/", w.ID, named(w.Name, w.ID))
			t.HTML(`<span class="sub">`)
			t.Text(w.ID)
			t.HTML(`</span></td><td dir="auto">`)
			t.Text(w.Address.City)
			t.HTML(`</td><td class="p2" dir="auto">`)
			t.Text(w.Address.Country)
			t.HTML(`</td></tr>`)
		}
		t.HTML(`</tbody>`)
	})
}
