package ui

import (
	"cmp"
	"context"
	"io"

	"github.com/a-h/templ"
)

// The components in this file are on most pages. They are written without templ, because
// templ is slower.

// swapsPage is an attribute for an element with links. If scripts are enabled, htmx then
// replaces only the content of the page when a user follows a link, not the whole page.
const swapsPage literal = ` hx-boost:inherited="target:#page select:#page swap:outerHTML"`

// Tab is a link to a list with certain filters.
type Tab struct {
	Name    string
	URL     string
	Current bool
	Saved   bool // the tab is a saved view, and its name was chosen by a user
}

// Tabs writes the tabs of a list.
func Tabs(label string, tabs []Tab) Written {
	return func(m *Markup) { m.Tabs(label, tabs) }
}

// Tabs writes the tabs of a list.
func (m *Markup) Tabs(label string, tabs []Tab) { m.tabs("tabs", label, tabs) }

// Presets writes links that set a filter to common values.
func (m *Markup) Presets(label string, tabs []Tab) { m.tabs("presets wide", label, tabs) }

func (m *Markup) tabs(class literal, label string, tabs []Tab) {
	m.HTML(`<nav class="`)
	m.HTML(class)
	m.HTML(`" aria-label="`)
	m.Text(label)
	m.HTML(`"`)
	m.HTML(swapsPage)
	m.HTML(`>`)
	for i := range tabs {
		tab := &tabs[i]
		m.HTML(`<a href="`)
		m.Address(tab.URL)
		if tab.Current {
			m.HTML(`" aria-current="page`)
		}
		if tab.Saved {
			m.HTML(`" dir="auto">`)
			m.Icon(IconView)
		} else {
			m.HTML(`">`)
		}
		m.Text(tab.Name)
		m.HTML(`</a>`)
	}
	m.HTML(`</nav>`)
}

// Menu returns a menu that opens below a button. Its children are the items.
func Menu(label string) templ.Component { return menu{label} }

type menu struct{ label string }

// Render writes the component to w.
func (n menu) Render(ctx context.Context, w io.Writer) error {
	return surround(ctx, w, func(_ context.Context, m *Markup) error {
		m.Menu(n.label)
		return nil
	}, (*Markup).EndMenu)
}

// Menu writes the start tags of a menu.
func (m *Markup) Menu(label string) {
	m.HTML(`<details class="menu"><summary class="btn down">`)
	m.Text(label)
	m.HTML(`</summary><ul>`)
}

// EndMenu writes the end tags of a menu.
func (m *Markup) EndMenu() { m.HTML(`</ul></details>`) }

// Item writes a menu item that opens a form or another page. The items of a menu have
// this order: Item, PaperItem, FileItem, DangerItem.
func Item(url, text string, icon Icon) Written {
	return func(m *Markup) { m.Item(url, text, icon) }
}

// Item writes a menu item that opens a form or another page.
func (m *Markup) Item(url, text string, icon Icon) { m.item("<li>", url, text, icon) }

// PaperItem writes a menu item that opens a page for printing.
func PaperItem(url, text string) Written {
	return func(m *Markup) { m.item(`<li class="paper">`, url, text, IconPrint) }
}

// FileItem writes a menu item that downloads a file.
func FileItem(url, text string) Written {
	return func(m *Markup) { m.FileItem(url, text) }
}

// FileItem writes a menu item that downloads a file.
func (m *Markup) FileItem(url, text string) { m.item(`<li class="file">`, url, text, IconDownload) }

// DangerItem writes a menu item that opens the form of a change that can't be undone.
func DangerItem(url, text string, icon Icon) Written {
	return func(m *Markup) { m.item(`<li class="danger">`, url, text, icon) }
}

func (m *Markup) item(start literal, url, text string, icon Icon) {
	m.HTML(start)
	m.HTML(`<a href="`)
	m.Address(url)
	m.HTML(`">`)
	m.Icon(icon)
	m.Text(text)
	m.HTML(`</a></li>`)
}

// Neighbours writes the links to the previous and the next page, and the number of rows
// on this page.
func Neighbours(p Pager, one, many string) Written {
	return func(m *Markup) {
		m.HTML(`<nav class="pager" aria-label="Pages of `)
		m.Text(cmp.Or(p.Of, many))
		m.HTML(`"`)
		m.HTML(swapsPage)
		m.HTML(`><p>`)
		m.Int(p.Shown)
		m.HTML(` `)
		if p.Shown == 1 {
			m.Text(one)
		} else {
			m.Text(many)
		}
		if p.NextURL != "" && p.Unread {
			m.HTML(` so far`)
		}
		if p.Order != "" && (p.Shown > 1 || p.PrevURL != "" || p.NextURL != "") {
			m.HTML(`, `)
			m.Text(p.Order)
		}
		if p.NextURL != "" && !p.Unread {
			m.HTML(`; more on the next page`)
		}
		m.HTML(`</p>`)
		if p.PrevURL != "" {
			m.HTML(`<a class="btn" rel="prev" href="`)
			m.Address(p.PrevURL)
			m.fragment(p.Of)
			m.HTML(`">`)
			m.Icon(IconBack)
			m.HTML(`Previous</a>`)
		}
		if p.NextURL != "" {
			m.HTML(`<a class="btn" rel="next" href="`)
			m.Address(p.NextURL)
			m.fragment(p.Of)
			if p.Unread {
				m.HTML(`">Continue search`)
			} else {
				m.HTML(`">Next`)
			}
			m.Icon(IconNext)
			m.HTML(`</a>`)
		}
		m.HTML(`</nav>`)
	}
}

// fragment writes the fragment of a URL that leads to the section with this title. If
// scripts are disabled, the browser then scrolls to the section. It writes nothing for "".
func (m *Markup) fragment(title string) {
	if title != "" {
		m.HTML(`#`)
		m.Text(SectionID(title))
	}
}

// Action writes a link that looks like a button.
func Action(url, text string, icon Icon) Written { return action("btn", url, text, icon) }

// Primary writes the link to the main action of a page. It looks like a highlighted
// button.
func Primary(url, text string, icon Icon) Written { return action("btn primary", url, text, icon) }

func action(class, url, text string, icon Icon) Written {
	return func(m *Markup) {
		m.HTML(`<a class="`)
		m.Text(class)
		m.HTML(`" href="`)
		m.Address(url)
		m.HTML(`">`)
		m.Icon(icon)
		m.Text(text)
		m.HTML(`</a>`)
	}
}
