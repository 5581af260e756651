// Package views renders pages. Each page is a struct with its data and a templ
// component. Views never call the store and check no permissions.
package views

import (
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// Page holds the common parts of every page. The struct of each page embeds it.
type Page struct {
	Title    string      // without the name of the program
	User     *store.User // nil if nobody is signed in; the page then has no menu
	Viewing  bool        // an admin views the site as User
	Theme    Theme       // from the theme cookie
	Menu     []MenuGroup // pages that the user may open
	Query    string      // text in the search box
	IsSearch bool        // the page is the search page
	Record   string      // what kind of record the page shows, such as "Customer"; "" if none
	Flash    string      // success message of the last change

	Related store.Related // records that the page names

	Zone     *time.Location // of the business; nil is UTC
	Currency string         // ISO 4217
	Now      time.Time      // for "today" and "3 days ago"

	Reads        []store.Read // requests to the table
	SessionReads []store.Read // requests for the session and settings, which the footer shows separately
	Items        []store.Item // raw items, for admins on detail pages; nil to show none
}

// Theme is the color scheme of the page.
type Theme string

// The themes. The zero Theme follows the device.
const (
	DeviceTheme Theme = ""
	LightTheme  Theme = "light"
	DarkTheme   Theme = "dark"
)

// MenuGroup is a group of menu items.
type MenuGroup struct {
	Title string
	Items []MenuItem
}

// MenuItem is a link in the menu.
type MenuItem struct {
	Name    string
	Path    string
	Icon    ui.Icon
	Current bool // the page belongs to this section
	Named   bool // a saved view, named by a user
}

// List is the state of a list, as its address contains it. Tabs, filters, sort
// links and downloads change one parameter of it and keep the others.
type List struct {
	// Path is escaped, such as /orders.
	Path string
	// Params are the filters, sort and limit that are set, without the cursor.
	Params []ui.Param
	Sort   ui.Sort
	// Wrong lists the errors of parameters without a field, and of rows that
	// cannot be decoded.
	Wrong []string
	Older Older // of an empty list
	ui.Pager
}

// Older is where the rows are that an empty list does not cover. URL is "" if there
// are none.
type Older struct {
	URL    string
	Since  time.Time // the first day of the list, or zero if it was chosen
	Newest time.Time // when the newest of these rows was made
	Status string    // their status, for a list of another status
}

// Single is a part of a page that is not a list.
type Single[T any] struct {
	Found  T
	Failed bool // it could not be read; the rest of the page is shown
}

// Part is the first rows of a list on a page with other parts.
type Part[T any] struct {
	Rows []T
	ui.Pager
	CSV    string // address of the whole list as a file; "" if there is none
	Failed bool   // it could not be read; the rest of the page is shown

	Unreadable []string // why rows are left out that cannot be decoded
}

// under sets the heading that the links to further pages name, for pages with
// several lists.
func (p Part[T]) under(heading string) Part[T] {
	p.Of = heading
	return p
}
