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
			t.stockLink(item.ProductID, item.WarehouseID, named(item.Name, item.ProductID))
			t.HTML(`<span class="sub">`)
			t.Text(item.ProductID)
			t.HTML(`</span>`)
			t.stockFigures(item)
		}
		t.HTML(`</tbody>`)
	})
}

// lowTable is inventoryTable for what runs out, for those who order more:
// each reorder point can be changed in its place. The forms share a token,
// because a browser sends one of them, and each is about another product.
func lowTable(p *Page, rows []store.WarehouseItem, once string) ui.Written {
	return tableOf(p, "Low stock", func(t table) {
		t.HTML(`<thead><tr><th scope="col">Product</th><th scope="col" class="p2">Bin</th><th scope="col" class="num">Quantity</th>` +
			`<th scope="col">Reorder at</th></tr></thead><tbody>`)
		for i := range rows {
			item := &rows[i]
			t.HTML(`<tr><td class="name">`)
			t.stockLink(item.ProductID, item.WarehouseID, named(item.Name, item.ProductID))
			t.HTML(`<span class="sub">`)
			t.Text(item.ProductID)
			t.HTML(`</span></td><td class="p2" dir="auto">`)
			t.Text(item.Bin)
			t.HTML(`</td><td class="num">`)
			t.count(item.Quantity)
			t.HTML(`</td><td>`)
			t.reorderForm(item, once)
			t.HTML(`</td></tr>`)
		}
		t.HTML(`</tbody>`)
	})
}

func (t table) reorderForm(item *store.WarehouseItem, once string) {
	t.HTML(`<form class="inline" method="post" action="`)
	t.Address(StockPath(item.ProductID, item.WarehouseID) + "/" + string(StockReorder))
	t.HTML(`"><input type="hidden" name="once" value="`)
	t.Text(once)
	t.HTML(`"><input type="hidden" name="version" value="`)
	t.Int(item.Version)
	t.HTML(`"><input type="hidden" name="bin" value="`)
	t.Text(item.Bin)
	t.HTML(`"><input type="hidden" name="back" value="warehouse"><label><span class="vh">Reorder point of `)
	t.Text(named(item.Name, item.ProductID))
	t.HTML(`</span><input class="ctl" name="reorder" required inputmode="numeric" autocomplete="off" value="`)
	t.Int(item.ReorderPoint)
	t.HTML(`"></label><button class="btn small">Save<span class="vh"> the reorder point of `)
	t.Text(named(item.Name, item.ProductID))
	t.HTML(`</span></button></form>`)
}

// whereTable lists where one product lies, with how much there is in all.
func whereTable(p *Page, caption string, rows []store.WarehouseItem, warehouses []store.Warehouse) ui.Written {
	return tableOf(p, caption, func(t table) {
		t.HTML(`<thead><tr><th scope="col">Warehouse</th>` + stockHeadings)
		for i := range rows {
			item := &rows[i]
			t.HTML(`<tr><td class="name">`)
			t.stockLink(item.ProductID, item.WarehouseID, warehouseName(warehouses, item.WarehouseID))
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
