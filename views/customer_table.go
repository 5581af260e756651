package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// customersTable lists people with how to reach them.
func customersTable(p *Page, caption string, rows []store.Customer) ui.Written {
	return tableOf(p, caption, func(t table) {
		t.HTML(`<thead><tr><th scope="col">Customer</th><th scope="col" class="p2">E-mail</th><th scope="col" class="p2">Phone</th>` +
			`<th scope="col">City</th><th scope="col" class="p3">Since</th></tr></thead><tbody>`)
		for i := range rows {
			t.customerRow(&rows[i])
		}
		t.HTML(`</tbody>`)
	})
}

func (t table) customerRow(c *store.Customer) {
	t.HTML(`<tr><td class="name">`)
	t.Link("/customers/", c.ID, named(c.Name, c.ID))
	t.HTML(`<span class="sub">`)
	t.Text(c.ID)
	t.HTML(`</span><span class="sub m">`)
	t.Text(c.Email)
	t.HTML(`</span></td><td class="p2">`)
	t.Text(c.Email)
	t.HTML(`</td><td class="p2">`)
	if len(c.Phones) > 0 {
		t.Text(c.Phones[0])
	}
	t.HTML(`</td><td><span dir="auto">`)
	t.Text(c.Address.City)
	t.HTML(`</span><span class="sub" dir="auto">`)
	t.Text(c.Address.Country)
	t.HTML(`</span></td><td class="p3">`)
	t.day(c.Created)
	t.HTML(`</td></tr>`)
}
