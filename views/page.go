// Package views shows pages: every page is a struct that says what is on it
// and a component that writes it as HTML. Views format what they are given;
// they ask the store nothing and decide nothing about who may see what.
package views

import (
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// Page is what every page carries. Handlers fill it once for each request and
// embed it in the page's own struct.
type Page struct {
	Title    string      // of the page; the browser's title ends in the program's name
	User     *store.User // who is logged in; nil: nobody, and there is no menu
	Theme    Theme       // from the theme cookie
	Menu     []MenuGroup // what this user's role may open
	Query    string      // what was searched for, to stand in the search box
	IsSearch bool        // the page shows search results itself
	Flash    string      // what was just done, in a sentence; "" for nothing

	Zone     *time.Location // where the business's days begin and end; nil is UTC
	Currency string         // ISO 4217
	Now      time.Time      // for "today" and "3 days ago"

	Reads        []store.Read // what the page asked the table
	SessionReads []store.Read // what knowing the user asked of it, shown apart
	Items        []store.Item // the very items the page read, for admins on detail pages; nil: not shown
}

// Theme is how light the page is.
type Theme string

// The themes. The zero Theme follows the device.
const (
	DeviceTheme Theme = ""
	LightTheme  Theme = "light"
	DarkTheme   Theme = "dark"
)

// MenuGroup is a part of the menu under its own heading.
type MenuGroup struct {
	Title string
	Items []MenuItem
}

// MenuItem is an entry of the menu.
type MenuItem struct {
	Name    string
	Path    string
	Icon    ui.Icon
	Current bool // the page lies in this part of the site
	Named   bool // somebody named it, in whatever script
}

// List is the state of a list as its address has it. Tabs, chips, the order
// and the twins as files are made from it, so that each keeps what the others
// have set.
type List struct {
	// Path is the list's own, already escaped, such as /orders.
	Path string
	// Params are its filters, sort and limit, as they stand in the address:
	// those that are set, without the cursor.
	Params []ui.Param
	Sort   ui.Sort
	// Wrong says what is wrong with those parameters that no field of the page
	// is for, a sentence each.
	Wrong []string
	ui.Pager
}

// Single is a part of a page that is no list.
type Single[T any] struct {
	Found  T
	Failed bool // it could not be read; the rest of the page is there
}

// Part is the beginning of a list that stands on a page beside others.
type Part[T any] struct {
	Rows []T
	ui.Pager
	CSV    string // the address of the whole list as a file; "" offers none
	Failed bool   // it could not be read; the rest of the page is there
}

// under names the way through a part by its heading: others on the page may be
// of the same noun.
func (p Part[T]) under(heading string) Part[T] {
	p.Of = heading
	return p
}
