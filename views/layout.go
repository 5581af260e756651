package views

import (
	"strings"

	"stockroom/static"
	"stockroom/views/ui"
)

// The code in this file writes the frame of every page without templ. With templ, the
// frame would take as much time as the rest of the page.

// Paths of the static files.
var (
	styleSheet = static.Path("app.css")
	script     = static.Path("app.js")
	pickScript = static.Path("pick.js")
	htmx       = static.Path("htmx.js")
	font       = static.Path("inter-latin.woff2")
	favicon    = static.Path("icon.svg")
)

// head writes the <head> element. Its configuration of htmx allows requests only to this
// site, and adds no styles. It also makes the button Back reload a page instead of
// showing a stored copy.
func head(p *Page) ui.Written {
	return func(m *ui.Markup) {
		m.HTML(`<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">` +
			`<meta name="color-scheme" content="light dark"><meta name="htmx-config" content="mode:same-origin history:reload includeIndicatorCSS:false"><title>`)
		m.Text(p.Title)
		m.HTML(` – Stockroom</title><link rel="preload" href="`)
		m.Text(font)
		m.HTML(`" as="font" type="font/woff2" crossorigin><link rel="stylesheet" href="`)
		m.Text(styleSheet)
		m.HTML(`"><link rel="icon" type="image/svg+xml" href="`)
		m.Text(favicon)
		m.HTML(`"><script defer src="`)
		m.Text(htmx)
		m.HTML(`"></script><script defer src="`)
		m.Text(script)
		m.HTML(`"></script><script defer src="`)
		m.Text(pickScript)
		m.HTML(`"></script></head>`)
	}
}

// top writes the bar with the search box and the account menu.
func top(p *Page) ui.Written {
	return func(m *ui.Markup) {
		m.HTML(`<header class="top"><button class="btn ghost square menu-button" popovertarget="menu" aria-label="Open menu">`)
		m.Icon(ui.IconMenu)
		m.HTML(`</button><form class="search" action="/search" role="search">`)
		m.Icon(ui.IconSearch)
		m.HTML(`<label class="vh" for="q">Search orders, customers, products</label><input class="ctl" id="q" name="q" type="search" value="`)
		m.Text(p.Query)
		m.HTML(`" placeholder="Search orders, customers, products" autocomplete="off"`)
		if !p.IsSearch {
			m.HTML(` hx-get="/search" hx-trigger="input changed delay:250ms" hx-target="#hits" hx-select="#found" hx-swap="innerHTML"`)
		}
		m.HTML(`><kbd aria-hidden="true" hidden>/</kbd>`)
		if !p.IsSearch {
			m.HTML(`<div class="hits" id="hits" aria-live="polite"></div>`)
		}
		m.HTML(`</form>`)
		if p.User != nil {
			accountMenu(m, p)
		}
		m.HTML(`</header>`)
	}
}

func accountMenu(m *ui.Markup, p *Page) {
	m.HTML(`<details class="account"><summary class="avatar"><span aria-hidden="true">`)
	initials(m, p.User.Name)
	m.HTML(`</span><span class="vh">Account menu, `)
	m.Text(p.User.Name)
	m.HTML(`</span></summary><div><p><b dir="auto">`)
	m.Text(p.User.Name)
	m.HTML(`</b><span class="muted">`)
	m.Text(capital(string(p.User.Role)))
	m.HTML(`</span></p><a href="/account">`)
	m.Icon(ui.IconAccount)
	m.HTML(`Account</a><a href="/views">`)
	m.Icon(ui.IconView)
	m.HTML(`Saved views</a>`)
	themeForm(p.Theme)(m)
	m.HTML(`<form method="post" action="/logout"><button>`)
	m.Icon(ui.IconSignOut)
	m.HTML(`Sign out</button></form></div></details>`)
}

// themeForm writes the buttons that choose the theme. A cookie stores the choice.
func themeForm(chosen Theme) ui.Written {
	return func(m *ui.Markup) {
		m.HTML(`<form class="theme" method="post" action="/theme" aria-label="Theme">`)
		themeButton(m, DeviceTheme, chosen, "Device")
		themeButton(m, LightTheme, chosen, "Light")
		themeButton(m, DarkTheme, chosen, "Dark")
		m.HTML(`</form>`)
	}
}

func themeButton(m *ui.Markup, theme, chosen Theme, name string) {
	m.HTML(`<button name="theme" value="`)
	m.Text(string(theme))
	if theme == chosen {
		m.HTML(`" aria-pressed="true">`)
	} else {
		m.HTML(`" aria-pressed="false">`)
	}
	m.Text(name)
	m.HTML(`</button>`)
}

func menu(p *Page) ui.Written {
	return func(m *ui.Markup) {
		m.HTML(`<nav class="side" id="menu" popover aria-label="Main"><a class="brand" href="/"><b aria-hidden="true">S</b>Stockroom</a><div class="nav">`)
		for i := range p.Menu {
			group := &p.Menu[i]
			switch {
			case group.Folds && group.isCurrent():
				m.HTML(`<details open><summary>`)
				m.Text(group.Title)
				m.HTML(`</summary>`)
			case group.Folds:
				m.HTML(`<details><summary>`)
				m.Text(group.Title)
				m.HTML(`</summary>`)
			case group.Title != "":
				m.HTML(`<h2>`)
				m.Text(group.Title)
				m.HTML(`</h2>`)
			}
			m.HTML(`<ul>`)
			for j := range group.Items {
				menuItem(m, &group.Items[j])
			}
			m.HTML(`</ul>`)
			if group.Folds {
				m.HTML(`</details>`)
			}
		}
		m.HTML(`</div></nav>`)
	}
}

func menuItem(m *ui.Markup, item *MenuItem) {
	m.HTML(`<li><a href="`)
	m.Address(item.Path)
	if item.Current {
		m.HTML(`" aria-current="page">`)
	} else {
		m.HTML(`">`)
	}
	m.Icon(item.Icon)
	m.Text(item.Name)
	m.HTML(`</a></li>`)
}

// initials writes the first letters of the first two words of a name.
func initials(m *ui.Markup, name string) {
	letters, begins := 0, true
	for _, r := range name {
		if strings.ContainsRune(" .-_@", r) {
			begins = true
			continue
		}
		if begins && letters < 2 {
			m.Text(string(r))
			letters++
		}
		begins = false
	}
}
