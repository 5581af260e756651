package views

import (
	"context"
	"io"
	"strings"

	"github.com/a-h/templ"

	"stockroom/static"
	"stockroom/views/ui"
)

// The code in this file writes the frame of every page, such as the menu and the search
// box, without templ. With templ, the frame would take as much time as the rest of the
// page.

// Paths of the static files.
var (
	styleSheet = static.Path("app.css")
	script     = static.Path("app.js")
	pickScript = static.Path("pick.js")
	htmx       = static.Path("htmx.js")
	font       = static.Path("inter-latin.woff2")
	favicon    = static.Path("icon.svg")
)

// frame shows a page with the menu, the search box and the account menu. Its children are
// the content. The footer shows the table reads of the page.
func frame(p *Page) templ.Component {
	return ui.AroundKept(p.Keep, func(m *ui.Markup) {
		startDocument(m, p)
		m.HTML(`<a class="skip" href="#main">Skip to content</a><div class="app">`)
		top(m, p)
		m.HTML(`<nav class="side" id="menu" popover aria-label="Main">`)
		m.Kept(brand)
		m.Kept(p.Menu.html)
		m.HTML(`</nav><div class="page" id="page">`)
		if p.Viewing {
			viewing(m, p)
		}
		m.HTML(`<main id="main" tabindex="-1"`)
		if p.Record != "" {
			m.HTML(` data-record="`)
			m.Text(p.Record)
			m.HTML(`"`)
		}
		m.HTML(`>`)
		if p.Flash != "" {
			m.HTML(`<p class="alert ok" role="status">`)
			m.Icon(ui.IconSuccess)
			m.HTML(` `)
			writeMessage(m, p.Flash)
			m.HTML(`</p>`)
		}
	}, func(m *ui.Markup) {
		m.HTML(`</main>`)
		readFooter(p)(m)
		m.HTML(`</div></div>`)
		endDocument(m)
	})
}

// KeptPage shows a page with the content that an earlier page has stored in Page.Keep.
func KeptPage(p Page, content ui.Kept) templ.Component {
	p.Kept = true
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		return frame(&p).Render(templ.WithChildren(ctx, content), w)
	})
}

// document shows a page without a frame. Its children are the content.
func document(p *Page) templ.Component {
	return ui.Around(func(m *ui.Markup) { startDocument(m, p) }, endDocument)
}

func startDocument(m *ui.Markup, p *Page) {
	m.HTML(`<!doctype html><html lang="en"`)
	if p.Theme != DeviceTheme {
		m.HTML(` data-theme="`)
		m.Text(string(p.Theme))
		m.HTML(`"`)
	}
	m.HTML(`>`)
	m.Kept(startHead)
	m.Text(p.Title)
	m.Kept(endHead)
	m.HTML(`<body>`)
}

func endDocument(m *ui.Markup) { m.HTML(`</body></html>`) }

// The <head> element, before and after the title. It configures htmx to send requests only
// to this site and to add no styles. When the user goes back to a page, htmx then makes the
// browser reload it, instead of fetching it and replacing the content itself.
var (
	startHead = ui.Keep(func(m *ui.Markup) {
		m.HTML(`<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">` +
			`<meta name="description" content="Orders, stock, rentals and subscriptions of a business"><meta name="color-scheme" content="light dark"><meta name="htmx-config" content="mode:same-origin history:reload includeIndicatorCSS:false"><title>`)
	})
	endHead = ui.Keep(func(m *ui.Markup) {
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
	})
)

// brand is the link with the name of the program, above the menu.
var brand = ui.Keep(func(m *ui.Markup) {
	m.HTML(`<a class="brand" href="/"><b aria-hidden="true">S</b>Stockroom</a>`)
})

// startTop is the start of the bar at the top of the page, up to the text in the search
// box.
var startTop = ui.Keep(func(m *ui.Markup) {
	m.HTML(`<header class="top"><button class="btn ghost square menu-button" popovertarget="menu" aria-label="Open menu">`)
	m.Icon(ui.IconMenu)
	m.HTML(`</button><form class="search" action="/search" role="search">`)
	m.Icon(ui.IconSearch)
	m.HTML(`<label class="vh" for="q">Search orders, customers, products</label><input class="ctl" id="q" name="q" type="search" value="`)
})

// top writes the bar with the search box and the account menu.
func top(m *ui.Markup, p *Page) {
	m.Kept(startTop)
	m.Text(p.Query)
	m.HTML(`" placeholder="Search orders, customers, products" autocomplete="off"`)
	if !p.IsSearch {
		m.HTML(` hx-get="/search" hx-trigger="input changed delay:250ms" hx-sync="queue last" hx-target="#hits" hx-select="#found" hx-swap="innerHTML"`)
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

// viewing writes a banner while an admin views the site as another role or user. The
// banner has the button Stop viewing.
func viewing(m *ui.Markup, p *Page) {
	m.HTML(`<aside class="viewing" aria-label="View of another user"><p>Viewing as role <b>`)
	m.Text(string(p.User.Role))
	m.HTML(`</b>, user <bdi>`)
	m.Text(p.User.Name)
	m.HTML(`</bdi>. Nothing can be changed.</p><form method="post" action="/view-as/end"><button class="btn small">Stop viewing</button></form></aside>`)
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
	m.HTML(`</span></p>`)
	m.Kept(accountLinks)
	themeForm(p.Theme)(m)
	m.Kept(signOut)
	m.HTML(`</div></details>`)
}

// The parts of the account menu that are the same for all users.
var (
	accountLinks = ui.Keep(func(m *ui.Markup) {
		m.HTML(`<a href="/account">`)
		m.Icon(ui.IconAccount)
		m.HTML(`Account</a><a href="/views">`)
		m.Icon(ui.IconView)
		m.HTML(`Saved views</a>`)
	})
	signOut = ui.Keep(func(m *ui.Markup) {
		m.HTML(`<form method="post" action="/logout"><button>`)
		m.Icon(ui.IconSignOut)
		m.HTML(`Sign out</button></form>`)
	})
)

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

// NewMenu returns the main menu with the given groups.
func NewMenu(groups []MenuGroup) Menu {
	return Menu{ui.Keep(func(m *ui.Markup) {
		m.HTML(`<div class="nav">`)
		for i := range groups {
			group := &groups[i]
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
		m.HTML(`</div>`)
	})}
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
