package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// availableCell shows how many pieces of a product are available in all warehouses, and
// how many are incoming, if any.
func availableCell(level *store.StockLevel) ui.Written {
	return func(m *ui.Markup) {
		m.HTML(`<td class="num p2"><b>`)
		m.Text(levelNumber(*level, level.Available))
		m.HTML(`</b>`)
		if level.Incoming > 0 {
			m.HTML(`<span class="sub">`)
			m.Bytes(AppendCount(m.Scratch(), level.Incoming))
			m.HTML(` incoming</span>`)
		}
		m.HTML(`</td>`)
	}
}
