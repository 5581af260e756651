package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

func lowStockRows(p *Today, low *LowStock) ui.Written {
	return func(m *ui.Markup) {
		warehouses, changes := low.warehouses(), p.may(store.ChangeStock)
		for i := range low.Rows {
			row := &low.Rows[i]
			m.HTML(`<tr>`)
			lowStockCells(m, row, warehouseName(warehouses, row.WarehouseID))
			if changes {
				lowStockButtons(m, row)
			}
			m.HTML(`</tr>`)
		}
	}
}

func lowStockCells(m *ui.Markup, row *store.StockRow, warehouse string) {
	m.HTML(`<td class="name"><a href="`)
	m.Text(StockPath(row.ProductID, row.WarehouseID))
	m.HTML(`" dir="auto">`)
	m.Text(nameOr(row.Name, row.ProductID))
	m.HTML(`</a><span class="sub">`)
	m.Text(row.ProductID)
	m.HTML(`</span><span class="sub m" dir="auto">`)
	m.Text(warehouse)
	m.HTML(` · reorder point `)
	m.Bytes(AppendCount(m.Scratch(), row.ReorderPoint))
	m.HTML(` · `)
	m.Text(levelNumber(row.StockLevel, row.Available))
	m.HTML(` available</span></td><td class="p2" dir="auto">`)
	m.Text(warehouse)
	if row.Quantity <= 0 {
		m.HTML(`</td><td class="num"><b class="bad-text">`)
	} else {
		m.HTML(`</td><td class="num"><b>`)
	}
	m.Bytes(AppendCount(m.Scratch(), row.Quantity))
	m.HTML(`</b></td><td class="num p2">`)
	m.Bytes(AppendCount(m.Scratch(), row.ReorderPoint))
	m.HTML(`</td>`)
	availableCell(&row.StockLevel)(m)
	m.HTML(`<td class="p2">`)
	m.State(stockBadge(row.WarehouseItem))
	m.HTML(`</td>`)
}

func lowStockButtons(m *ui.Markup, row *store.StockRow) {
	name := nameOr(row.Name, row.ProductID)
	m.HTML(`<td class="act"><a class="btn small" href="`)
	m.Text(StockPath(row.ProductID, row.WarehouseID))
	m.HTML(`/receive">Receive<span class="vh"> `)
	m.Text(name)
	m.HTML(`</span></a> <a class="btn small" href="`)
	m.Address(newDeliveryPath(row.ProductID, row.WarehouseID))
	m.HTML(`">Expect delivery<span class="vh"> of `)
	m.Text(name)
	m.HTML(`</span></a></td>`)
}
