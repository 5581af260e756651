package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// Model is the page of the table design.
type Model struct {
	Page
	JSON string
}

// glanceTable marks the indexes that each entity is in.
func glanceTable(p *Page) ui.Written {
	return tableOf(p, "Entities by index", func(t table) {
		t.HTML(`<thead><tr><th scope="col">Entity</th>`)
		for _, index := range indexNames() {
			t.HTML(`<th scope="col" class="at">`)
			t.Text(capital(index))
			t.HTML(`</th>`)
		}
		t.HTML(`</tr></thead><tbody>`)
		for i := range store.Definitions {
			d := &store.Definitions[i]
			entityCell(t, d.Type)
			for n := range store.IndexCount + 1 {
				if n > 0 && d.Index[n].PK.IsZero() {
					t.HTML(`<td class="at"></td>`)
					continue
				}
				t.HTML(`<td class="at">`)
				mark(t.Markup, d.Type)
				t.HTML(`<span class="vh">yes</span></td>`)
			}
			t.HTML(`</tr>`)
		}
		t.HTML(`</tbody>`)
	})
}

// modelTable lists the key templates of each entity.
func modelTable(p *Page) ui.Written {
	return tableOf(p, "Keys by entity", func(t table) {
		t.HTML(`<thead><tr><th scope="col">Entity</th>`)
		for _, index := range indexNames() {
			t.HTML(`<th scope="col">`)
			t.Text(capital(index))
			t.HTML(`</th>`)
		}
		t.HTML(`</tr></thead><tbody>`)
		for i := range store.Definitions {
			d := &store.Definitions[i]
			entityCell(t, d.Type)
			for n := range store.IndexCount + 1 {
				keys := d.Table
				if n > 0 {
					keys = d.Index[n]
				}
				t.HTML(`<td class="model">`)
				if !keys.PK.IsZero() {
					t.HTML(`<code>`)
					t.Text(keys.PK.String())
					t.HTML(`</code><code class="sub">→ `)
					t.Text(keys.SK.String())
					t.HTML(`</code>`)
				}
				t.HTML(`</td>`)
			}
			t.HTML(`</tr>`)
		}
		t.HTML(`</tbody>`)
	})
}
