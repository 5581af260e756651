package ui

import (
	"context"
	"io"

	"github.com/a-h/templ"
)

// Table returns a table that scrolls sideways in a narrow window. Screen readers use the
// caption as its name. Its children are the head, body and foot.
func Table(caption string) templ.Component { return table{caption, "tbl"} }

// Records is like Table, for a list of records. The first link in a row opens the
// record. With scripts, a click anywhere on the row does the same.
func Records(caption string) templ.Component { return table{caption, "tbl records"} }

type table struct {
	caption string
	class   literal
}

// Render writes the component to w.
func (t table) Render(ctx context.Context, w io.Writer) error {
	return surround(ctx, w, func(_ context.Context, m *Markup) error {
		m.tableOf(t.class, t.caption)
		return nil
	}, (*Markup).EndTable)
}

// Table writes the start tags of a table that scrolls sideways in a narrow window.
func (m *Markup) Table(caption string) { m.tableOf("tbl", caption) }

// Records writes the start tags of a table of records; see the function Records.
func (m *Markup) Records(caption string) { m.tableOf("tbl records", caption) }

func (m *Markup) tableOf(class literal, caption string) {
	m.HTML(`<div class="scroll" role="region" tabindex="0" aria-label="`)
	m.Text(caption)
	m.HTML(`"><table class="`)
	m.HTML(class)
	m.HTML(`"><caption class="vh">`)
	m.Text(caption)
	m.HTML(`</caption>`)
}

// EndTable writes the end tags of the table.
func (m *Markup) EndTable() { m.HTML(`</table></div>`) }

// SortHeading writes the heading of the column by which the list is sorted. If the list
// can be reversed, the heading links to the reversed list.
func SortHeading(name string, sort Sort) Written {
	return func(m *Markup) {
		m.HTML(`<th scope="col" class="p2"`)
		if sort.ReverseURL == "" {
			m.HTML(`>`)
			m.Text(name)
			m.HTML(`</th>`)
			return
		}
		order, arrow := literal(` aria-sort="ascending"`), literal(`↑`)
		if sort.NewestFirst {
			order, arrow = ` aria-sort="descending"`, `↓`
		}
		m.HTML(order)
		m.HTML(`><a class="sort" href="`)
		m.Address(sort.ReverseURL)
		m.HTML(`">`)
		m.Text(name)
		m.HTML(` <span aria-hidden="true">`)
		m.HTML(arrow)
		m.HTML(`</span></a></th>`)
	}
}
