package views

import (
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// table is a table in the making, which knows how the page writes money and
// dates.
type table struct {
	*ui.Markup
	page *Page
}

// tableOf writes a table by hand; see ui.Written for why.
func tableOf(p *Page, caption string, write func(t table)) ui.Written {
	return func(m *ui.Markup) {
		m.Table(caption)
		write(table{m, p})
		m.EndTable()
	}
}

func (t table) money(amount store.Amount) {
	t.Bytes(AppendMoney(t.Scratch(), amount, t.page.Currency))
}

func (t table) day(at time.Time) { t.Bytes(AppendDay(t.Scratch(), at, t.page.Zone)) }

// calendar writes a day that has no time, such as the one by which something
// is due: it is the same in every zone.
func (t table) calendar(day time.Time) { t.Bytes(AppendDay(t.Scratch(), day, time.UTC)) }

func (t table) time(at time.Time) { t.Bytes(AppendTime(t.Scratch(), at, t.page.Zone)) }

// number formats a whole number, such as 1,234.
func number(n int) string { return string(AppendCount(nil, n)) }

func (t table) count(n int) { t.Bytes(AppendCount(t.Scratch(), n)) }

func (t table) dateHeading(name string, by ui.Sort) {
	switch {
	case by.ReverseURL == "":
		t.HTML(`<th scope="col" class="p2">`)
		t.Text(name)
		t.HTML(`</th>`)
		return
	case by.NewestFirst:
		t.HTML(`<th scope="col" class="p2" aria-sort="descending"><a class="sort" href="`)
	default:
		t.HTML(`<th scope="col" class="p2" aria-sort="ascending"><a class="sort" href="`)
	}
	t.Address(by.ReverseURL)
	t.HTML(`">`)
	t.Text(name)
	if by.NewestFirst {
		t.HTML(` <span aria-hidden="true">↓</span></a></th>`)
	} else {
		t.HTML(` <span aria-hidden="true">↑</span></a></th>`)
	}
}
