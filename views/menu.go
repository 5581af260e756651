package views

import (
	"strings"

	"stockroom/views/ui"
)

// menu is the way to every part of the site that the user may open. It is
// written by hand: it stands on every page and has more expressions than most.
func menu(p *Page) ui.Written {
	return func(m *ui.Markup) {
		m.HTML(`<nav class="side" id="menu" popover aria-label="Main"><a class="brand" href="/"><b aria-hidden="true">S</b>Stockroom</a><div class="nav">`)
		for i := range p.Menu {
			group := &p.Menu[i]
			m.HTML(`<h2>`)
			m.Text(group.Title)
			m.HTML(`</h2><ul>`)
			for j := range group.Items {
				menuItem(m, &group.Items[j])
			}
			m.HTML(`</ul>`)
		}
		m.HTML(`</div></nav>`)
	}
}

func menuItem(m *ui.Markup, item *MenuItem) {
	m.HTML(`<li><a href="`)
	m.Text(item.Path)
	if item.Current {
		m.HTML(`" aria-current="page">`)
	} else {
		m.HTML(`">`)
	}
	m.Icon(item.Icon)
	m.Text(item.Name)
	m.HTML(`</a></li>`)
}

// initials stand for a user where there is no room for the name.
func initials(name string) string {
	letters := ""
	for word := range strings.FieldsFuncSeq(name, func(r rune) bool { return strings.ContainsRune(" .-_@", r) }) {
		for _, r := range word {
			letters += strings.ToUpper(string(r))
			break
		}
		if len(letters) > 1 {
			break
		}
	}
	return letters
}
