package views

import (
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// storesTable lists stores with how many of their kayaks are where.
func storesTable(p *Page, caption string, rows []StoreRow) ui.Written {
	return tableOf(p, caption, func(t table) {
		t.HTML(`<thead><tr><th scope="col">Store</th><th scope="col" class="p2">City</th><th scope="col" class="num">Available</th><th scope="col" class="num">Rented out</th>` +
			`<th scope="col" class="num">Overdue</th><th scope="col" class="num">In repair</th></tr></thead><tbody>`)
		for i := range rows {
			s := &rows[i]
			t.HTML(`<tr><td class="name">`)
			t.Link("/stores/", s.ID, named(s.Name, s.ID))
			t.HTML(`<span class="sub">`)
			t.Text(s.ID)
			t.HTML(`</span></td><td class="p2" dir="auto">`)
			if s.Address.City != s.Name {
				t.Text(s.Address.City)
			}
			t.HTML(`</td>`)
			t.figure(s.In)
			t.figure(s.Out)
			t.HTML(`<td class="num">`)
			if s.Overdue > 0 {
				t.State(ui.Badge{Word: string(AppendCount(nil, s.Overdue)), Tone: ui.Wrong})
			} else {
				t.count(0)
			}
			t.HTML(`</td>`)
			t.figure(s.Repair)
			t.HTML(`</tr>`)
		}
		t.HTML(`</tbody>`)
	})
}

func (t table) figure(n int) {
	t.HTML(`<td class="num">`)
	t.count(n)
	t.HTML(`</td>`)
}

// kayaksTable lists a store's kayaks.
func kayaksTable(p *Page, caption string, rows []store.Kayak) ui.Written {
	return tableOf(p, caption, func(t table) {
		t.HTML(`<thead><tr><th scope="col">Kayak</th><th scope="col" class="p2">Kind</th><th scope="col" class="p3">Serial</th><th scope="col" class="p3">Condition</th>` +
			`<th scope="col" class="num">Daily rate</th><th scope="col">Status</th></tr></thead><tbody>`)
		for i := range rows {
			k := &rows[i]
			t.HTML(`<tr>`)
			t.kayak(k.ID, k.Name)
			t.HTML(`<td class="p2" dir="auto">`)
			t.Text(k.Kind)
			t.HTML(`</td><td class="p3">`)
			t.Text(k.Serial)
			t.HTML(`</td><td class="p3 wrap" dir="auto">`)
			t.Text(k.Condition)
			t.HTML(`</td><td class="num">`)
			t.money(k.DailyRate)
			t.HTML(`</td><td>`)
			t.Badge(kayakBadge(k.Status))
			t.HTML(`</td></tr>`)
		}
		t.HTML(`</tbody>`)
	})
}

func (t table) kayak(id, name string) {
	t.HTML(`<td class="name">`)
	t.Link("/kayaks/", id, named(name, id))
	t.HTML(`<span class="sub">`)
	t.Text(id)
	t.HTML(`</span></td>`)
}

// columns say which of the three that a rental brings together a list has
// columns for: the one that it is about is not repeated.
type columns struct{ kayak, person, store bool }

func (t table) columnHeadings(c columns) {
	if c.kayak {
		t.HTML(`<th scope="col">Kayak</th>`)
	}
	if c.person && c.kayak {
		t.HTML(`<th scope="col" class="p2">Rented by</th>`)
	} else if c.person {
		t.HTML(`<th scope="col">Rented by</th>`)
	}
	if c.store {
		t.HTML(`<th scope="col" class="p2">Store</th>`)
	}
}

func (t table) columns(c columns, r *store.Rental) {
	switch {
	case c.kayak && c.person:
		t.rentedKayak(r)
	case c.kayak:
		t.kayak(r.KayakID, r.KayakName)
	case c.person:
		t.person(r.PersonID, r.PersonName)
	}
	if c.store {
		t.HTML(`<td class="p2">`)
		t.Link("/stores/", r.StoreID, named(r.StoreName, r.StoreID))
		t.HTML(`</td>`)
	}
}

// rentedKayak is a kayak and who rented it, whom a phone shows beneath.
func (t table) rentedKayak(r *store.Rental) {
	t.HTML(`<td class="name">`)
	t.Link("/kayaks/", r.KayakID, named(r.KayakName, r.KayakID))
	t.HTML(`<span class="sub">`)
	t.Text(r.KayakID)
	t.HTML(`</span><span class="sub m">`)
	t.Link("/people/", r.PersonID, named(r.PersonName, r.PersonID))
	t.HTML(`</span></td><td class="name p2">`)
	t.Link("/people/", r.PersonID, named(r.PersonName, r.PersonID))
	t.HTML(`</td>`)
}

func (t table) person(id, name string) {
	t.HTML(`<td class="name">`)
	t.Link("/people/", id, named(name, id))
	t.HTML(`</td>`)
}

// outTable lists what is out, with how to take it back for whoever may.
func outTable(p *Page, caption string, rows []store.ActiveRental, c columns) ui.Written {
	return tableOf(p, caption, func(t table) {
		t.HTML(`<thead><tr>`)
		t.columnHeadings(c)
		t.HTML(`<th scope="col" class="p3">Checked out</th><th scope="col">Due back</th><th scope="col" class="act"><span class="vh">Actions</span></th></tr></thead><tbody>`)
		for i := range rows {
			r := &rows[i]
			t.HTML(`<tr>`)
			t.columns(c, &store.Rental{StoreID: r.StoreID, PersonID: r.PersonID, KayakID: r.KayakID, StoreName: r.StoreName, PersonName: r.PersonName, KayakName: r.KayakName})
			t.HTML(`<td class="p3">`)
			t.time(r.Out)
			t.HTML(`</td><td class="day">`)
			t.due(r.Due)
			t.HTML(`</td><td class="act">`)
			if p.canRent(r.StoreID) {
				t.HTML(`<a class="btn small" href="`)
				t.Address(ReturnPath(r.StoreID, r.KayakID))
				t.HTML(`">Check in<span class="vh"> `)
				t.Text(named(r.KayakName, r.KayakID))
				t.HTML(`</span></a>`)
			}
			t.HTML(`</td></tr>`)
		}
		t.HTML(`</tbody>`)
	})
}

// due writes the day by which something is to be back, and how late it is.
func (t table) due(due time.Time) {
	t.calendar(due)
	if b, late := t.page.lateBadge(due); late {
		t.HTML(`<span class="sub">`)
		t.State(b)
		t.HTML(`</span>`)
	}
}

// rentalsTable lists rentals that were or are.
func rentalsTable(p *Page, caption string, rows []store.Rental, c columns) ui.Written {
	return tableOf(p, caption, func(t table) {
		t.HTML(`<thead><tr>`)
		t.columnHeadings(c)
		t.HTML(`<th scope="col" class="p2">Checked out</th><th scope="col" class="p2">Checked in</th><th scope="col" class="num">Charge</th></tr></thead><tbody>`)
		for i := range rows {
			r := &rows[i]
			t.HTML(`<tr>`)
			t.columns(c, r)
			t.HTML(`<td class="p2">`)
			t.time(r.Out)
			t.HTML(`</td><td class="p2">`)
			if !r.Returned.IsZero() {
				t.time(r.Returned)
				t.late(store.LateDays(r.Due, r.Returned, t.page.zone()))
			}
			t.HTML(`</td><td class="num">`)
			if r.Returned.IsZero() {
				t.Badge(kayakBadge(store.KayakOut))
			} else {
				t.money(r.Charge)
				t.HTML(`<span class="sub m">`)
				t.day(r.Returned)
				t.HTML(`</span>`)
			}
			t.HTML(`</td></tr>`)
		}
		t.HTML(`</tbody>`)
	})
}

func (t table) late(days int) {
	if days > 0 {
		t.HTML(`<span class="sub">`)
		t.Text(count(days, "day late", "days late"))
		t.HTML(`</span>`)
	}
}

// colleaguesTable lists who works at a store now.
func colleaguesTable(p *Page, caption string, rows []store.StoreEmployee) ui.Written {
	return tableOf(p, caption, func(t table) {
		t.HTML(`<thead><tr><th scope="col">Name</th><th scope="col" class="p2">Position</th><th scope="col">Since</th><th scope="col" class="act"><span class="vh">Actions</span></th></tr></thead><tbody>`)
		for i := range rows {
			e := &rows[i]
			t.HTML(`<tr>`)
			t.person(e.PersonID, e.Name)
			t.HTML(`<td class="p2" dir="auto">`)
			t.Text(e.Position)
			t.HTML(`</td><td class="day">`)
			t.calendar(e.From)
			t.HTML(`</td><td class="act">`)
			if p.canRent(e.StoreID) {
				t.HTML(`<a class="btn small" href="`)
				t.Address(LeavePath(e.StoreID, e.PersonID))
				t.HTML(`">End<span class="vh"> employment: `)
				t.Text(named(e.Name, e.PersonID))
				t.HTML(`</span></a>`)
			}
			t.HTML(`</td></tr>`)
		}
		t.HTML(`</tbody>`)
	})
}

// employmentsTable lists times that people worked at stores, by the one of
// the two that the page is not about.
func employmentsTable(p *Page, caption string, rows []store.Employment, c columns) ui.Written {
	return tableOf(p, caption, func(t table) {
		t.HTML(`<thead><tr>`)
		if c.person {
			t.HTML(`<th scope="col">Name</th>`)
		}
		if c.store {
			t.HTML(`<th scope="col">Store</th>`)
		}
		t.HTML(`<th scope="col" class="p2">Position</th><th scope="col">From</th><th scope="col">To</th></tr></thead><tbody>`)
		for i := range rows {
			e := &rows[i]
			t.HTML(`<tr>`)
			if c.person {
				t.person(e.PersonID, e.PersonName)
			}
			if c.store {
				t.HTML(`<td class="name">`)
				t.Link("/stores/", e.StoreID, named(e.StoreName, e.StoreID))
				t.HTML(`</td>`)
			}
			t.HTML(`<td class="p2" dir="auto">`)
			t.Text(e.Position)
			t.HTML(`</td><td class="day">`)
			t.calendar(e.From)
			t.HTML(`</td><td class="day">`)
			if e.To.IsZero() {
				t.HTML(`present`)
			} else {
				t.calendar(e.To)
			}
			t.HTML(`</td></tr>`)
		}
		t.HTML(`</tbody>`)
	})
}

// returnTable says what each kayak that comes back is charged.
func returnTable(p *Page, r *store.Returning) ui.Written {
	return tableOf(p, "Charges", func(t table) {
		t.HTML(`<thead><tr><th scope="col">Kayak</th><th scope="col" class="p2">Rented by</th><th scope="col" class="p3">Checked out</th>` +
			`<th scope="col">Days</th><th scope="col" class="num p2">Daily rate</th><th scope="col" class="num">Charge</th></tr></thead><tbody>`)
		for i := range r.Lines {
			line := &r.Lines[i]
			t.HTML(`<tr>`)
			t.kayak(line.KayakID, line.KayakName)
			t.HTML(`<td class="p2">`)
			t.Link("/people/", line.PersonID, named(line.PersonName, line.PersonID))
			t.HTML(`</td><td class="p3">`)
			t.time(line.Out)
			t.HTML(`</td><td>`)
			t.Text(count(line.Days, "day", "days"))
			t.late(line.LateDays)
			t.HTML(`</td><td class="num p2">`)
			t.money(line.Rate)
			t.HTML(`</td><td class="num">`)
			t.money(line.Charge)
			t.HTML(`</td></tr>`)
		}
		t.HTML(`</tbody><tfoot><tr><th scope="row">Total</th><td class="p2"></td><td class="p3"></td><td></td><td class="p2"></td><td class="num">`)
		t.money(r.Total)
		t.HTML(`</td></tr></tfoot>`)
	})
}

// stayingTable lists what the same people keep, each to be returned too.
func stayingTable(page *Page, p CheckIn) ui.Written {
	return tableOf(page, "Still out", func(t table) {
		t.HTML(`<thead><tr><th scope="col">Kayak</th><th scope="col">Due back</th><th scope="col" class="act"><span class="vh">Actions</span></th></tr></thead><tbody>`)
		for i := range p.Returning.Staying {
			r := &p.Returning.Staying[i]
			t.HTML(`<tr>`)
			t.kayak(r.KayakID, r.KayakName)
			t.HTML(`<td class="day">`)
			t.due(r.Due)
			t.HTML(`</td><td class="act"><a class="btn small" href="`)
			t.Address(p.withKayak(r.KayakID))
			t.HTML(`">Check in too<span class="vh">: `)
			t.Text(named(r.KayakName, r.KayakID))
			t.HTML(`</span></a></td></tr>`)
		}
		t.HTML(`</tbody>`)
	})
}
