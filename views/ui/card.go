package ui

import (
	"context"
	"io"
	"strings"

	"github.com/a-h/templ"
)

// The components in this file are on most pages. They are written without templ, because
// templ is slower.

// Section returns a card with an element ID, so that Anchors can link to it. The title
// must be unique on the page.
func Section(title string, note templ.Component) templ.Component {
	return card{title: title, note: note, id: SectionID(title)}
}

// Anchors writes links to the sections of a long page.
func Anchors(titles ...string) Written {
	return func(m *Markup) {
		m.HTML(`<nav class="tabs jump" aria-label="On this page">`)
		for _, title := range titles {
			m.HTML(`<a href="#`)
			m.Text(SectionID(title))
			m.HTML(`">`)
			m.Text(title)
			m.HTML(`</a>`)
		}
		m.HTML(`</nav>`)
	}
}

// SectionID returns the element ID of a section, such as section-open-orders.
func SectionID(title string) string {
	return "section-" + strings.ReplaceAll(strings.ToLower(title), " ", "-")
}

// Card returns a section with a heading. Its children are the content.
func Card(title string) templ.Component { return card{title: title} }

// CardWith returns a card that has a note or a link next to its heading.
func CardWith(title string, note templ.Component) templ.Component {
	return card{title: title, note: note}
}

type card struct {
	title string
	note  templ.Component // nil for none
	id    string          // "" for none
}

// Render writes the component to w.
func (c card) Render(ctx context.Context, w io.Writer) error {
	return surround(ctx, w, func(ctx context.Context, m *Markup) error {
		m.HTML(`<section class="card"`)
		if c.id != "" {
			m.HTML(` id="`)
			m.Text(c.id)
			m.HTML(`"`)
		}
		m.HTML(`><header><h2>`)
		m.Text(c.title)
		m.HTML(`</h2>`)
		if c.note != nil {
			if err := c.note.Render(ctx, m.writer()); err != nil {
				return err
			}
		}
		m.HTML(`</header>`)
		return nil
	}, func(m *Markup) { m.HTML(`</section>`) })
}

// Note writes muted text.
func Note(text string) Written {
	return func(m *Markup) {
		m.HTML(`<span class="muted">`)
		m.Text(text)
		m.HTML(`</span>`)
	}
}

// More writes a link to a whole list.
func More(url, text string) Written {
	return func(m *Markup) {
		m.HTML(`<a class="more" href="`)
		m.Address(url)
		m.HTML(`">`)
		m.Text(text)
		m.HTML(`</a>`)
	}
}

// Crumb writes a breadcrumb: a link to the list that the page belongs to, and the name
// of the page.
func Crumb(url, list, here string) Written {
	return func(m *Markup) {
		m.HTML(`<nav class="crumb" aria-label="Breadcrumb"><a href="`)
		m.Address(url)
		m.HTML(`">`)
		m.Text(list)
		m.HTML(`</a> <span aria-hidden="true">/</span> <span aria-current="page" dir="auto">`)
		m.Text(here)
		m.HTML(`</span></nav>`)
	}
}
