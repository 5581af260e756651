package ui

import "cmp"

// Navigation is on every page. It is written without templ, because templ is slower.

// swapsPage is an attribute of elements around links within a list. With scripts,
// these links replace only the content of the page.
const swapsPage literal = ` hx-boost:inherited="target:#page select:#page swap:outerHTML"`

// Tab is a link to one view of a list.
type Tab struct {
	Name    string
	URL     string
	Current bool
}

// Tabs writes the tabs of a list.
func Tabs(label string, tabs []Tab) Written { return tabsOf("tabs", label, tabs) }

// Presets writes links that set a filter to usual values.
func Presets(label string, tabs []Tab) Written { return tabsOf("presets wide", label, tabs) }

func tabsOf(class literal, label string, tabs []Tab) Written {
	return func(m *Markup) {
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
			m.HTML(`">`)
			m.Text(tab.Name)
			m.HTML(`</a>`)
		}
		m.HTML(`</nav>`)
	}
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
		} else if p.NextURL != "" {
			m.HTML(`, more follow`)
		}
		m.HTML(`</p>`)
		if p.PrevURL != "" {
			m.HTML(`<a class="btn" rel="prev" href="`)
			m.Address(p.PrevURL)
			m.HTML(`">`)
			m.Icon(IconBack)
			m.HTML(`Previous</a>`)
		}
		if p.NextURL != "" {
			m.HTML(`<a class="btn" rel="next" href="`)
			m.Address(p.NextURL)
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

// Action writes a link that looks like a button.
func Action(url, text string, icon Icon) Written { return action("btn", url, text, icon) }

// Primary is like Action, for the main action of a page.
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
