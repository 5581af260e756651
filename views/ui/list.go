package ui

import (
	"context"
	"io"

	"github.com/a-h/templ"
)

// Chip is an active filter.
type Chip struct {
	Name, Value string
	WithoutURL  string // address of the list without this filter
}

// Chips writes the active filters, with links that remove them.
func Chips(chips []Chip) Written {
	return func(m *Markup) {
		if len(chips) == 0 {
			return
		}
		m.HTML(`<ul class="chips" aria-label="Active filters"`)
		m.HTML(swapsPage)
		m.HTML(`>`)
		for i := range chips {
			c := &chips[i]
			m.HTML(`<li><a class="chip" href="`)
			m.Address(c.WithoutURL)
			m.HTML(`"><span class="vh">Remove filter</span> `)
			m.Text(c.Name)
			m.HTML(`: <b dir="auto">`)
			m.Text(c.Value)
			m.HTML(`</b>`)
			m.Icon(IconRemove)
			m.HTML(`</a></li>`)
		}
		m.HTML(`</ul>`)
	}
}

// Filters returns the filter form of a list. Its children are the fields. The form sends
// the parameters in kept as hidden fields. If open is false, the form is collapsed on
// phones.
func Filters(action string, kept []Param, open bool) templ.Component {
	return filters{action, kept, open}
}

type filters struct {
	action string
	kept   []Param
	open   bool
}

// Render writes the component to w.
func (f filters) Render(ctx context.Context, w io.Writer) error {
	return surround(ctx, w, func(_ context.Context, m *Markup) error {
		m.HTML(`<details class="fold"`)
		if f.open {
			m.HTML(` open`)
		}
		m.HTML(`><summary>`)
		m.Icon(IconFilter)
		m.HTML(`Filters</summary><form class="filters" action="`)
		m.Address(f.action)
		m.HTML(`" role="search" aria-label="Filters" hx-boost="target:#page select:#page swap:outerHTML">`)
		for i := range f.kept {
			m.Hidden(f.kept[i])
		}
		return nil
	}, func(m *Markup) { m.HTML(`<button class="btn apply">Apply</button></form></details>`) })
}

// Empty returns the text for an empty list. Its children suggest what to do next.
func Empty(why string) templ.Component { return empty{why} }

type empty struct{ why string }

// Render writes the component to w.
func (e empty) Render(ctx context.Context, w io.Writer) error {
	return surround(ctx, w, func(_ context.Context, m *Markup) error {
		m.HTML(`<div class="empty">`)
		m.Icon(IconEmpty)
		m.HTML(`<p>`)
		m.Text(e.why)
		m.HTML(`</p>`)
		return nil
	}, func(m *Markup) { m.HTML(`</div>`) })
}

// Hidden writes a hidden field of a form.
func (m *Markup) Hidden(p Param) {
	m.HTML(`<input type="hidden" name="`)
	m.Text(p.Name)
	m.HTML(`" value="`)
	m.Text(p.Value)
	m.HTML(`">`)
}
